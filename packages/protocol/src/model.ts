import { loadPeer } from "@sandstack/core";
import type { WireService } from "./services.js";
import { shapeOf, type Shape, type Traits } from "./shape.js";
import { uriTemplate, type UriTemplate } from "./uri-template.js";

export interface OperationModel {
  readonly service: WireService;
  /** AWS's name: `SendMessage`. */
  readonly name: string;
  readonly input: Shape;
  readonly output: Shape;
  /** Of REST protocols. */
  readonly http?: { readonly method: string; readonly uri: UriTemplate; readonly statusCode: number };
}

/** What a service's SDK client says of it. */
export interface ServiceModel {
  readonly service: WireService;
  readonly operations: ReadonlyMap<string, OperationModel>;
  /** The shape of an error by AWS's name for it. */
  errorShape(name: string): Shape | undefined;
}

/** An operation's schema is `[9, namespace, name, traits, input, output]`; an error's `[-3, namespace, name, …]`. */
const OPERATION = 9;
const ERROR = -3;

const models = new WeakMap<WireService, ServiceModel>();

/**
 * The model of a service, read from the schemas that its SDK client exports. Loaded on first need.
 *
 * @throws SimMissingPeer when the client is not installed
 */
export function serviceModel(service: WireService): ServiceModel {
  let model = models.get(service);
  if (model === undefined) models.set(service, (model = readModel(service)));
  return model;
}

function readModel(service: WireService): ServiceModel {
  const client = loadPeer(`@aws-sdk/client-${service.id}`, `to answer requests to ${service.id}`);
  const operations = new Map<string, OperationModel>();
  const errors = new Map<string, unknown>();
  for (const schema of Object.values(client)) {
    if (!Array.isArray(schema)) continue;
    const [kind, , name] = schema as [unknown, unknown, string]; // every array that a client exports is a schema
    if (kind === OPERATION) operations.set(name, operationModel(service, schema));
    else if (kind === ERROR) errors.set(name, schema);
  }
  return {
    service,
    operations,
    errorShape(name) {
      const schema = errors.get(name);
      return schema === undefined ? undefined : shapeOf(schema);
    },
  };
}

function operationModel(service: WireService, schema: readonly unknown[]): OperationModel {
  const [, , name, traits, input, output] = schema as [unknown, unknown, string, Traits | number, unknown, unknown]; // as said above
  const http = typeof traits === "object" ? traits.http : undefined;
  let inputShape: Shape | undefined;
  let outputShape: Shape | undefined;
  return {
    service,
    name,
    // A service has many more operations than a process calls.
    get input() {
      return (inputShape ??= shapeOf(input));
    },
    get output() {
      return (outputShape ??= shapeOf(output));
    },
    ...(http && { http: { method: http[0], uri: uriTemplate(http[1]), statusCode: http[2] } }),
  };
}
