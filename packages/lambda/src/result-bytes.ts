/**
 * A payload as the SDK gives it: bytes that can be read as text by `transformToString()`, and whose text `Buffer.from(payload)` gives.
 * The SDK's own class for it is a `Uint8Array` with that method.
 */
export type ResultBytes = Uint8Array<ArrayBuffer> & { transformToString(encoding?: string): string };

export function resultBytes(text: string): ResultBytes {
  const bytes = new Uint8Array(Buffer.from(text));
  Object.defineProperty(bytes, "transformToString", { value: (encoding: BufferEncoding = "utf8") => Buffer.from(bytes).toString(encoding) });
  return bytes as ResultBytes; // the method was just defined
}
