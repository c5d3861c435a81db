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
      /** Of Query: the client wants its answer rendered as JSON. */
      readonly isJsonWanted?: boolean;
    }
  /** The service is known, and AWS has no such action of it. */
  | { readonly kind: "unknown-action"; readonly protocol: ProtocolName; readonly model: ServiceModel; readonly action: string; readonly isJsonWanted?: boolean }
  /** A service that the wire does not speak. `name` is what the request calls it. */
  | { readonly kind: "unknown-service"; readonly name: string }
  /** No action, or one of no service, and no path that means one. */
  | { readonly kind: "nothing"; readonly action?: string }
  /** A form that cannot be read. */
  | { readonly kind: "malformed-form" };

/** A route that names a service of the wire. */
export type ServiceRoute = Extract<Route, { model: ServiceModel }>;

/**
 * Tells which service, operation and protocol a request means: by `X-Amz-Target`, else by `Action`, else by method and path. Never by
 * `Content-Type`, which clients and proxies get wrong.
 *
 * @param signedFor the service in the credential scope of the signature, if there is one
 * @param served the ids of the services that are there
 * @throws SimMissingPeer when the service's SDK client is not installed
 */
export function routeRequest(request: WireRequest, signedFor: string | undefined, served: ServedServices): Route {
  const target = request.headers["x-amz-target"];
  if (target !== undefined) return routeTarget(target, request, served);
  const service = wireServiceById(signedFor);
  if (signedFor !== undefined && (service === undefined || !served.has(service.id))) return { kind: "unknown-service", name: signedFor };
  if (service !== undefined && restServices.includes(service)) return routeRest([service], request) ?? unknownPath(service, request);
  const parameters = queryParameters(request);
  if (parameters === undefined) return { kind: "malformed-form" };
  const action = valueOf(parameters, "Action");
  if (action === undefined) return routeRest(restServices.filter(({ id }) => served.has(id)), request) ?? { kind: "nothing" };
  const meant = service ?? serviceOfAction(action, parameters, request, served);
  if (meant === undefined) return { kind: "nothing", action };
  const route = { ...routeAction(meant, action, "awsQuery"), isJsonWanted: request.headers["accept"]?.startsWith("application/json") === true };
  return route.kind === "operation" ? { ...route, parameters } : route;
}

/** Told by the world: `world.services`. */
export type ServedServices = Pick<ReadonlyMap<string, unknown>, "has">;

function valueOf(parameters: readonly (readonly [string, string])[], wanted: string): string | undefined {
  return parameters.find(([name]) => name === wanted)?.[1];
}

function routeAction(service: WireService, action: string, protocol: ProtocolName): ServiceRoute {
  const model = serviceModel(service);
  const operation = model.operations.get(action);
  return operation === undefined ? { kind: "unknown-action", protocol, model, action } : { kind: "operation", protocol, model, operation };
}

/** `AmazonSQS.SendMessage` */
function routeTarget(target: string, request: WireRequest, served: ServedServices): Route {
  const dot = target.lastIndexOf(".");
  const service = wireServiceByTarget(target.slice(0, dot));
  if (service === undefined || !served.has(service.id)) return { kind: "unknown-service", name: target };
  return routeAction(service, target.slice(dot + 1), request.headers["content-type"]?.startsWith("application/x-amz-json-1.1") ? "awsJson1_1" : "awsJson1_0");
}

/** The service of an unsigned action: that of its version, and of one typed by hand without a version, the first that has it. */
function serviceOfAction(action: string, parameters: readonly (readonly [string, string])[], request: WireRequest, served: ServedServices): WireService | undefined {
  const services = queryServices.filter(({ id }) => served.has(id));
  const named = wireServiceByQueryVersion(valueOf(parameters, "Version")) ?? (isQueuePath(request.path) ? wireServiceById("sqs") : undefined);
  return named === undefined ? services.find((service) => serviceModel(service).operations.has(action)) : services.find(({ id }) => id === named.id);
}

function routeRest(services: readonly WireService[], request: WireRequest): Route | undefined {
  const segments = request.path.split("/").filter((segment) => segment !== "");
  // AWS's REST paths begin with the API's date; others load no client.
  if (!/^\d{4}-\d\d-\d\d$/.test(segments[0] ?? "")) return undefined;
  for (const service of services) {
    const model = serviceModel(service);
    for (const operation of model.restOperations) {
      if (operation.http?.method !== request.method) continue;
      const labels = matchUri(operation.http.uri, segments, request.query);
      if (labels !== undefined) return { kind: "operation", protocol: "restJson1", model, operation, labels };
    }
  }
  return undefined;
}

function unknownPath(service: WireService, request: WireRequest): ServiceRoute {
  return { kind: "unknown-action", protocol: "restJson1", model: serviceModel(service), action: `${request.method} ${request.path}` };
}
