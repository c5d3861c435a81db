/** What a function's result says of its batch. */
export type BatchVerdict =
  | { readonly kind: "all-succeeded" }
  | { readonly kind: "some-failed"; readonly failedIds: ReadonlySet<string> }
  | { readonly kind: "all-failed"; readonly reason: string };

/**
 * Reads the response of a function that reports failed items (developer guide, services-sqs-errorhandling).
 *
 * @param payload the function's result as JSON text
 * @param messageIds those of the batch
 */
export function readBatchResponse(payload: string, messageIds: readonly string[]): BatchVerdict {
  const result: unknown = JSON.parse(payload);
  if (result === null) return { kind: "all-succeeded" };
  if (typeof result !== "object" || Array.isArray(result)) return failed("its result is not an object with batchItemFailures");
  const { batchItemFailures: failures } = result as { batchItemFailures?: unknown }; // whatever the function returned
  if (failures === undefined || failures === null) return { kind: "all-succeeded" };
  if (!Array.isArray(failures)) return failed("batchItemFailures is not a list");
  const failedIds = new Set<string>();
  for (const failure of failures as readonly unknown[]) {
    const identifier = (failure as { itemIdentifier?: unknown } | null)?.itemIdentifier; // whatever the function returned
    if (typeof identifier !== "string" || identifier === "") return failed("an item of batchItemFailures has no itemIdentifier");
    if (!messageIds.includes(identifier)) return failed(`batchItemFailures names ${identifier}, which is not in the batch`);
    failedIds.add(identifier);
  }
  return failedIds.size === 0 ? { kind: "all-succeeded" } : { kind: "some-failed", failedIds };
}

function failed(reason: string): BatchVerdict {
  return { kind: "all-failed", reason };
}
