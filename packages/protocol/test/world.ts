import type { World } from "@sandstack/core";
import type { SimAws } from "sandstack";

/** The world behind a `SimAws`, found as another copy of the package finds it. */
export function worldOf(simAws: SimAws): World {
  const world: unknown = Reflect.get(simAws, Symbol.for("sandstack.world"));
  return world as World; // what the package puts there
}
