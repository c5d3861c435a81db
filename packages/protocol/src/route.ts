import type { ProtocolName } from "@sandstack/core";
import type { WireRequest } from "./http.js";
import { serviceModel, type OperationModel, type ServiceModel } from "./model.js";
import { queryParameters } from "./query.js";
import { restOperation } from "./rest-route.js";
import { isRest, type WireService, type WireServices } from "./services.js";
import { isQueuePath } from "./sqs-rules.js";

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

export type OperationRoute = Extract<Route, { kind: "operation" }>;

/**
 * Tells which service, operation and protocol a request means: by `X-Amz-Target`, else by `Action`, else by method and path. Never by
 * `Content-Type`, which clients and proxies get wrong.
 *
 * @param signedFor the service in the credential scope of the signature, if there is one
 * @throws SimMissingPeer when the service's SDK client is not installed
 */
export function routeRequest(request: WireRequest, signedFor: string | undefined, services: WireServices): Route {
  const target = request.headers["x-amz-target"];
  if (target !== undefined) return routeTarget(target, request, services);
  const service = signedFor === undefined ? undefined : services.byId.get(signedFor);
  if (signedFor !== undefined && service === undefined) return { kind: "unknown-service", name: signedFor };
  if (service !== undefined && isRest(service)) return routeRest(service, request) ?? unknownPath(service, request);
  const parameters = queryParameters(request);
  if (parameters === undefined) return { kind: "malformed-form" };
  const action = valueOf(parameters, "Action");
  if (action === undefined) return routePath(request, services) ?? { kind: "nothing" };
  const meant = service ?? serviceOfAction(action, parameters, request, services);
  if (meant === undefined) return { kind: "nothing", action };
  const route = { ...routeAction(meant, action, "awsQuery"), isJsonWanted: request.headers["accept"]?.startsWith("application/json") === true };
  return route.kind === "operation" ? { ...route, parameters } : route;
}

function valueOf(parameters: readonly (readonly [string, string])[], wanted: string): string | undefined {
  return parameters.find(([name]) => name === wanted)?.[1];
}

function routeAction(service: WireService, action: string, protocol: ProtocolName): ServiceRoute {
  const model = serviceModel(service);
  const operation = model.operations.get(action);
  return operation === undefined ? { kind: "unknown-action", protocol, model, action } : { kind: "operation", protocol, model, operation };
}

/** `AmazonSQS.SendMessage` */
function routeTarget(target: string, request: WireRequest, services: WireServices): Route {
  const dot = target.lastIndexOf(".");
  const service = services.byTarget.get(target.slice(0, dot));
  if (service === undefined) return { kind: "unknown-service", name: target };
  return routeAction(service, target.slice(dot + 1), request.headers["content-type"]?.startsWith("application/x-amz-json-1.1") ? "awsJson1_1" : "awsJson1_0");
}

/** The service of an unsigned action: that of its version, and of one typed by hand without a version, the first that has it. */
function serviceOfAction(action: string, parameters: readonly (readonly [string, string])[], request: WireRequest, services: WireServices): WireService | undefined {
  const version = valueOf(parameters, "Version");
  const named = (version === undefined ? undefined : services.byQueryVersion.get(version)) ?? (isQueuePath(request.path) ? services.byId.get("sqs") : undefined);
  return named ?? services.query.find((service) => serviceModel(service).operations.has(action));
}

function routeRest(service: WireService, request: WireRequest): Route | undefined {
  const [protocol] = service.protocols;
  const found = restOperation(service, request);
  return found && protocol && { kind: "operation", protocol, model: serviceModel(service), ...found };
}

/** What an unsigned request means by its path. */
function routePath(request: WireRequest, services: WireServices): Route | undefined {
  // AWS's REST paths begin with the API's date, but for those of a service whose paths are its users' names; others load no client.
  const isDated = /^\/*\d{4}-\d\d-\d\d\//.test(request.path);
  if (!isDated && isQueuePath(request.path)) return undefined;
  for (const service of services.rest) {
    const route = isDated === (service.hostLabel === undefined) ? routeRest(service, request) : undefined;
    if (route !== undefined) return route;
  }
  return undefined;
}

function unknownPath(service: WireService, request: WireRequest): ServiceRoute {
  const [protocol = "restJson1"] = service.protocols;
  return { kind: "unknown-action", protocol, model: serviceModel(service), action: `${request.method} ${request.path}` };
}
