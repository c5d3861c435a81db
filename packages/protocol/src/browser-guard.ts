import type { WireRequest } from "./http.js";

/**
 * Keeps web pages of foreign origins from driving a developer's sandbox: by the origin that browsers state, and by the `Host` of a name that
 * an attacker led to this machine.
 */

/** Why a request is refused; `undefined` when it is not. */
export function refusalOf(request: WireRequest, boundHost: string): string | undefined {
  const host = request.headers["host"];
  if (host !== undefined && !isOwnHost(hostNameOf(host), boundHost)) return `The host ${host} is not this sandbox's.`;
  const origin = request.headers["origin"];
  if (origin !== undefined) return isLoopbackOrigin(origin) ? undefined : `Pages of ${origin} may not use this sandbox.`;
  // An image's or form's request has no origin to state, but browsers say that it comes from elsewhere.
  return request.headers["sec-fetch-site"] === "cross-site" ? "Pages of other sites may not use this sandbox." : undefined;
}

export function isLoopbackOrigin(origin: string): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  return url !== undefined && isLoopbackName(url.hostname);
}

/** The headers that let a page of this machine read an answer. */
export function corsHeaders(request: WireRequest): Record<string, string> {
  const { origin } = request.headers;
  if (origin === undefined) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
    "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "*",
    "access-control-expose-headers": "*, x-amz-function-error, x-amzn-errortype, x-amzn-query-error, x-amzn-requestid",
    "access-control-max-age": "600",
    vary: "origin",
  };
}

function hostNameOf(host: string): string {
  return (host.startsWith("[") ? host.slice(0, host.indexOf("]") + 1) : host.split(":")[0]!).toLowerCase(); // split gives at least one part
}

function isLoopbackName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || (isAddress(name) && name.startsWith("127."));
}

function isAddress(name: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || (name.startsWith("[") && name.endsWith("]"));
}

/** A browser is led astray by a name, never by an address; the names of containers have no dot, and nobody can buy AWS's. */
function isOwnHost(name: string, boundHost: string): boolean {
  if (isLoopbackName(name) || name === boundHost.toLowerCase() || isAddress(name)) return true;
  if (/\.amazonaws\.com(\.cn)?$/.test(name)) return true;
  return !isLoopbackName(boundHost) && (!name.includes(".") || name.endsWith(".internal") || name.endsWith(".local"));
}
