import type { WireRequest } from "./http.js";
import { serviceModel, type OperationModel, type ServiceModel } from "./model.js";
import { queryParameters } from "./query.js";
import { queryServices, restServices, wireServiceById, wireServiceByQueryVersion, wireServiceByTarget, type ProtocolName, type WireService } from "./services.js";
import { isQueuePath } from "./sqs-rules.js";
import { matchUri } from "./uri-template.js";

/** What a request means. */
export type Route =
  | {
      readonly kind: "operation";
      readonly protocol: ProtocolName;
      readonly model: ServiceModel;
      readonly operation: OperationModel;
      /** Of REST: the parts of the path by member. */
      readonly labels?: ReadonlyMap<string, string>;
      /** Of Query. */
      readonly parameters?: readonly (readonly [name: string, value: string])[];
    }
  /** The service is known, and AWS has no such action of it. */
  | { readonly kind: "unknown-action"; readonly protocol: ProtocolName; readonly model: ServiceModel; readonly action: string }
  /** A service that the wire does not speak. `name` is what the request calls it. */
  | { readonly kind: "unknown-service"; readonly name: string }
  /** No action, and no path that means one. */
  | { readonly kind: "nothing" }
  /** A form that cannot be read. */
  | { readonly kind: "malformed-form" };

/**
 * Tells which service, operation and protocol a request means: by `X-Amz-Target`, else by `Action`, else by method and path. Never by
 * `Content-Type`, which clients and proxies get wrong.
 *
 * @param signedFor the service in the credential scope of the signature, if there is one
 * @throws SimMissingPeer when the service's SDK client is not installed
 */
export function routeRequest(request: WireRequest, signedFor: string | undefined): Route {
  const target = request.headers["x-amz-target"];
  if (target !== undefined) return routeTarget(target, request);
  const service = wireServiceById(signedFor);
  if (service !== undefined && restServices.includes(service)) return routeRest([service], request) ?? unknownPath(service, request);
  const parameters = queryParameters(request);
  if (parameters === undefined) return service === undefined && signedFor === undefined ? { kind: "nothing" } : { kind: "malformed-form" };
  const action = parameters.find(([name]) => name === "Action")?.[1];
  if (action !== undefined) return routeAction(action, service, signedFor, request, parameters);
  if (service === undefined && signedFor !== undefined) return { kind: "unknown-service", name: signedFor };
  return routeRest(restServices, request) ?? { kind: "nothing" };
}

/** `AmazonSQS.SendMessage` */
function routeTarget(target: string, request: WireRequest): Route {
  const dot = target.lastIndexOf(".");
  const service = wireServiceByTarget(target.slice(0, dot));
  if (service === undefined) return { kind: "unknown-service", name: target };
  const action = target.slice(dot + 1);
  const protocol = request.headers["content-type"]?.startsWith("application/x-amz-json-1.1") ? "awsJson1_1" : "awsJson1_0";
  const model = serviceModel(service);
  const operation = model.operations.get(action);
  return operation === undefined ? { kind: "unknown-action", protocol, model, action } : { kind: "operation", protocol, model, operation };
}

function routeAction(action: string, signed: WireService | undefined, signedFor: string | undefined, request: WireRequest, parameters: readonly (readonly [string, string])[]): Route {
  const version = parameters.find(([name]) => name === "Version")?.[1];
  const service = signed ?? wireServiceByQueryVersion(version) ?? (signedFor === undefined ? serviceWithAction(action, request) : undefined);
  if (service === undefined) return signedFor === undefined ? { kind: "nothing" } : { kind: "unknown-service", name: signedFor };
  const protocol: ProtocolName = "awsQuery";
  const model = serviceModel(service);
  const operation = model.operations.get(action);
  return operation === undefined ? { kind: "unknown-action", protocol, model, action } : { kind: "operation", protocol, model, operation, parameters };
}

/** The service of an action that comes unsigned and without a version, as typed by hand. */
function serviceWithAction(action: string, request: WireRequest): WireService | undefined {
  if (isQueuePath(request.path)) return wireServiceById("sqs");
  return queryServices.find((service) => serviceModel(service).operations.has(action));
}

function routeRest(services: readonly WireService[], request: WireRequest): Route | undefined {
  const segments = request.path.split("/").filter((segment) => segment !== "");
  // AWS's REST paths begin with the API's date; others load no client.
  if (!/^\d{4}-\d\d-\d\d$/.test(segments[0] ?? "")) return undefined;
  for (const service of services) {
    const model = serviceModel(service);
    for (const operation of model.operations.values()) {
      if (operation.http?.method !== request.method) continue;
      const labels = matchUri(operation.http.uri, segments, request.query);
      if (labels !== undefined) return { kind: "operation", protocol: "restJson1", model, operation, labels };
    }
  }
  return undefined;
}

function unknownPath(service: WireService, request: WireRequest): Route {
  return { kind: "unknown-action", protocol: "restJson1", model: serviceModel(service), action: `${request.method} ${request.path}` };
}
