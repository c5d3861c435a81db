import { types } from "node:util";
import { createContext, runInContext, type Context } from "node:vm";
import { nextFraction } from "@sandstack/core";
import type { RuntimeHost } from "./runtime-host.js";

/** A JavaScript realm of its own: the globals that an environment's code sees. */
export interface Realm {
  readonly context: Context;
  readonly JSON: JSON;
}

interface Intrinsics {
  readonly Date: DateConstructor;
  readonly Math: Math;
  readonly JSON: JSON;
  /** By name: the classes whose instances may come from outside the realm. */
  readonly classes: Readonly<Record<string, new () => unknown>>;
}

/** How instances that the host's modules give to the code are recognised as what they are. */
const IS_INSTANCE: Readonly<Record<string, (value: unknown) => boolean>> = {
  Error: types.isNativeError,
  ...Object.fromEntries(["EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"].map((name) => [name, (value: unknown) => isErrorOf(name, value)])),
  Date: types.isDate,
  Map: types.isMap,
  Set: types.isSet,
  Promise: types.isPromise,
  RegExp: types.isRegExp,
  Array: Array.isArray,
  Function: (value) => typeof value === "function",
  Object: (value) => (typeof value === "object" && value !== null) || typeof value === "function",
};

/** True for an error whose class is, or is derived from, the class of that name of any realm. */
function isErrorOf(name: string, value: unknown): boolean {
  if (!types.isNativeError(value)) return false;
  for (let prototype: unknown = Object.getPrototypeOf(value); typeof prototype === "object" && prototype !== null; prototype = Object.getPrototypeOf(prototype)) {
    const Class: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
    if (typeof Class === "function" && Class.name === name) return true;
  }
  return false;
}

/** Makes a realm whose time and chance are the sandbox's. */
export function createRealm(name: string, host: () => RuntimeHost): Realm {
  const context = createContext({}, { name });
  // The text names built-in objects only.
  const intrinsics = runInContext(`({ Date, Math, JSON, classes: { ${Object.keys(IS_INSTANCE).join(", ")} } })`, context) as Intrinsics;
  intrinsics.Math.random = () => nextFraction(host().random);
  context["Date"] = sandboxDate(intrinsics.Date, host);
  for (const [className, isInstance] of Object.entries(IS_INSTANCE)) {
    const RealmClass = intrinsics.classes[className]!; // asked for above
    acceptForeignInstances(RealmClass, isInstance, className === "Date" ? context["Date"] : RealmClass);
  }
  return { context, JSON: intrinsics.JSON };
}

function sandboxDate(RealmDate: DateConstructor, host: () => RuntimeHost): DateConstructor {
  const now = (): number => Math.trunc(host().nowMs);
  const date: DateConstructor = new Proxy(RealmDate, {
    construct: (target, args: unknown[], newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object, // Date constructs dates
    apply: (target) => new target(now()).toString(),
    get: (target, property, receiver) => (property === "now" ? now : Reflect.get(target, property, receiver)),
  });
  RealmDate.prototype.constructor = date;
  return date;
}

/**
 * Has `value instanceof Class` hold for instances of another realm's class of that kind: the SDK and Node's own modules
 * are the host's, and code that asks `error instanceof Error` of what they threw expects a yes.
 *
 * @param SeenClass the class as the code sees it
 */
function acceptForeignInstances(RealmClass: new () => unknown, isInstance: (value: unknown) => boolean, SeenClass: unknown): void {
  const ordinary = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(RealmClass, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // Classes derived from it inherit this function and mean themselves.
      return this === SeenClass ? isInstance(value) : ordinary.call(this as Function, value); // instanceof asks this of functions alone
    },
  });
}
