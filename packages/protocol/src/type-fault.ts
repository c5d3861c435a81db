import { types } from "node:util";
import { findPeer, type World } from "@sandstack/core";
import { mismatch } from "./json.js";
import { serviceModel } from "./model.js";
import { wireServicesOf } from "./services.js";
import type { Shape } from "./shape.js";
import { malformed } from "./wire-errors.js";

/**
 * AWS's error for an input that was given directly and holds a value of another type than the service's model has, as the SDK's
 * types forbid and a client's serializer would not send. Asked only when an operation could make nothing of its input.
 *
 * @returns `undefined` when the types are right, or the service's SDK client is not installed
 */
export function typeFault(world: World, serviceId: string, operationName: string, input: unknown): Error | undefined {
  const service = wireServicesOf(world).byId.get(serviceId);
  if (service === undefined || findPeer(`@aws-sdk/client-${serviceId}`) === undefined) return undefined;
  const operation = serviceModel(service).operations.get(operationName);
  const fault = operation === undefined ? undefined : faultIn(operation.input, input);
  return fault === undefined ? undefined : malformed(service, fault);
}

/** The first mismatch in a value, in AWS's words. What is left out, or `null`, is no mismatch. */
function faultIn(shape: Shape, value: unknown): string | undefined {
  if (value === undefined || value === null || fits(shape, value)) return undefined;
  switch (shape.kind) {
    case "structure":
    case "union":
      return isRecord(value) ? firstOf(shape.members, (member) => faultIn(member.shape, value[member.name])) : mismatch(shape, value);
    case "list":
      return Array.isArray(value) ? firstOf(value, (item) => faultIn(shape.value, item)) : mismatch(shape, value);
    case "map":
      return isRecord(value) ? firstOf(Object.values(value), (item) => faultIn(shape.value, item)) : mismatch(shape, value);
    default:
      return mismatch(shape, value);
  }
}

function fits({ kind }: Shape, value: unknown): boolean {
  switch (kind) {
    case "string":
    case "number":
    case "boolean":
      return typeof value === kind;
    case "blob":
      return typeof value === "string" || types.isUint8Array(value);
    case "timestamp":
      return types.isDate(value) || typeof value === "number";
    case "document":
    case "unit":
      return true;
    default:
      return false;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function firstOf<Item>(items: readonly Item[], faultOf: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = faultOf(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
