/** A request as both fronts hand it in: the SDK's `requestHandler` and the HTTP server. */
export interface WireRequest {
  readonly method: string;
  /** As sent, percent-encoded, without the query. */
  readonly path: string;
  /** The query's parameters, decoded. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string | Uint8Array;
}

export interface WireResponse {
  readonly statusCode: number;
  /** Names in lower case. */
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array;
  /** True for a body that SDK clients take as a stream. */
  readonly isStreamed?: boolean;
}

export const NO_QUERY: ReadonlyMap<string, readonly string[]> = new Map();

/** The bytes of a body. */
export function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === "string" ? Buffer.from(body) : body;
}
