import type { WireRequest } from "./http.js";
import type { WireService } from "./services.js";
import { decodePath } from "./uri-template.js";

/** A request to a service whose first label may stand in the host: what it is, and the path that is left. */
export interface SplitPath {
  /** `undefined`: the service itself is asked. */
  readonly label: string | undefined;
  /** As the model writes paths: without the label. */
  readonly path: string;
}

/** `orders.s3.eu-west-1.amazonaws.com/key`, `orders.localhost:4566/key`, `127.0.0.1:4566/orders/key` */
export function splitHostLabel({ id }: WireService, { headers, path }: WireRequest): SplitPath {
  const inHost = labelOfHost(id, headers["host"] ?? "");
  if (inHost !== undefined) return { label: inHost, path };
  const end = path.indexOf("/", 1);
  const first = path.slice(1, end === -1 ? undefined : end);
  return first === "" ? { label: undefined, path } : { label: decodePath(first), path: end === -1 ? "/" : path.slice(end) };
}

function labelOfHost(serviceId: string, host: string): string | undefined {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  const { endpoint, labelled } = patternsOf(serviceId);
  return endpoint.test(name) ? undefined : labelled.exec(name)?.[1];
}

interface HostPatterns {
  /** The service's own name: `s3.eu-west-1.amazonaws.com`. */
  readonly endpoint: RegExp;
  readonly labelled: RegExp;
}

const patterns = new Map<string, HostPatterns>();

function patternsOf(serviceId: string): HostPatterns {
  let found = patterns.get(serviceId);
  if (found === undefined) {
    const atAws = String.raw`${serviceId}[.-](?:[a-z0-9-]+\.){0,3}amazonaws\.com(?:\.cn)?`;
    const atHome = String.raw`(?:${serviceId}\.(?:[a-z0-9-]+\.)?)?localhost`;
    found = { endpoint: new RegExp(`^(?:${atAws}|${atHome})$`), labelled: new RegExp(String.raw`^(.+?)\.(?:${atAws}|${atHome})$`) };
    patterns.set(serviceId, found);
  }
  return found;
}
