import { splitHostLabel } from "./host-label.js";
import type { WireRequest } from "./http.js";
import { serviceModel, type OperationModel } from "./model.js";
import { bindingsOf } from "./rest.js";
import type { WireService } from "./services.js";
import { matchUri } from "./uri-template.js";

/** An operation of REST that a request means. */
export interface RestMatch {
  readonly operation: OperationModel;
  /** The parts of the path, and of the host, by member. */
  readonly labels: ReadonlyMap<string, string>;
}

/**
 * The operation of a service that a request's method, path, query and headers mean. Of those that fit, it is the one that asks for the most of
 * what the request carries: a PUT of a key with `x-amz-copy-source` is CopyObject, not PutObject.
 */
export function restOperation(service: WireService, request: WireRequest): RestMatch | undefined {
  const { label, path } = service.hostLabel === undefined ? { label: undefined, path: request.path } : splitHostLabel(service, request);
  let best: RestMatch | undefined;
  let bestFit = Number.NEGATIVE_INFINITY;
  for (const operation of serviceModel(service).operations.values()) {
    if (operation.http?.method !== request.method) continue;
    const inPath = matchUri(operation.http.uri, path, request.query);
    if (inPath === undefined) continue;
    const labels = label === undefined || service.hostLabel === undefined ? inPath : new Map([...inPath, [service.hostLabel, label]]);
    if (bindingsOf(operation.input).labels.length !== labels.size) continue;
    const fit = operation.http.uri.query.length + boundFit(operation, request);
    if (fit > bestFit) [best, bestFit] = [{ operation, labels }, fit];
  }
  return best;
}

/** How many required members of the query and the headers a request carries, less those that it lacks. */
function boundFit({ input }: OperationModel, { query, headers }: WireRequest): number {
  const { queries, headers: bound } = bindingsOf(input);
  const carried = [
    ...queries.filter(({ isRequired }) => isRequired).map(({ shape }) => query.has(shape.traits.httpQuery ?? "")),
    ...bound.filter(({ isRequired }) => isRequired).map(({ shape }) => headers[shape.traits.httpHeader?.toLowerCase() ?? ""] !== undefined),
  ];
  return carried.reduce((fit, isThere) => fit + (isThere ? 1 : -1), 0);
}
