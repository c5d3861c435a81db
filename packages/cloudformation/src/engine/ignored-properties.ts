import type { ResourceType } from "@sandstack/core";
import type { ExtraneousProperty } from "../spec/properties.js";
import type { IgnoredProperty } from "../state.js";
import { isObject } from "../template/template.js";

/** What of a resource's properties the sandbox does not act on, with the reason. */
export function ignoredPropertiesOf(logicalId: string, type: ResourceType, properties: Readonly<Record<string, unknown>>, extraneous: readonly ExtraneousProperty[]): IgnoredProperty[] {
  const entry = (path: string, reason: string): IgnoredProperty => ({ logicalId, resourceType: type.type, path, reason });
  return [
    ...pathsNotActedOn(properties, "", "", type.actsOn).map(({ path, name }) => entry(path, reasonFor(type, name))),
    ...extraneous.map(({ path }) => entry(path, `${type.type} has no such property in AWS's schema.`)),
  ];
}

function reasonFor(type: ResourceType, name: string): string {
  const reasons = type.ignoredBecause ?? {};
  const [top = name] = name.split(".");
  return reasons[name] ?? reasons[top] ?? "The sandbox does not act on it.";
}

/** A property's place: as shown (`Tags[0].Foo`), and as types name it (`Tags.Foo`). */
interface Place {
  readonly path: string;
  readonly name: string;
}

/** The highest places that no acted-on path covers or lies in. */
function pathsNotActedOn(value: unknown, path: string, name: string, actsOn: readonly string[]): Place[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => pathsNotActedOn(item, `${path}[${index}]`, name, actsOn));
  if (!isObject(value)) return name === "" ? [] : [{ path, name }];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = { path: path === "" ? key : `${path}.${key}`, name: name === "" ? key : `${name}.${key}` };
    if (actsOn.includes(place.name)) return [];
    return actsOn.some((acted) => acted.startsWith(`${place.name}.`)) ? pathsNotActedOn(member, place.path, place.name, actsOn) : [place];
  });
}
