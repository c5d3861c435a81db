import type { BatchResultErrorEntry } from "@aws-sdk/client-sqs";
import { isAwsError } from "@sandstack/core";
import { missingParameter, sqsError } from "./errors.js";
import { BATCH_MAX } from "./limits.js";

/** What the entries of all batches have. */
export interface BatchEntry {
  readonly Id?: string | undefined;
}

/** A member without results is absent, as in AWS's JSON. The SDK's types have both. */
export interface BatchOutput<Result> {
  Successful: Result[] | undefined;
  Failed: BatchResultErrorEntry[] | undefined;
}

const ENTRY_ID = /^[A-Za-z0-9_-]{1,80}$/;

/**
 * Checks what fails a whole batch request, whichever action it is of.
 *
 * @param entryType AWS's name of the entries' type, for the message: `SendMessageBatchRequestEntry`
 * @param required what an entry must have beside its id; an empty text is another matter, which fails the entry alone
 * @throws MissingParameter, EmptyBatchRequest, TooManyEntriesInBatchRequest, InvalidBatchEntryId, BatchEntryIdsNotDistinct
 */
export function checkBatch<Entry extends BatchEntry>(entries: readonly Entry[] | undefined, entryType: string, required: keyof Entry & string): readonly Entry[] {
  if (entries === undefined || entries.length === 0) throw sqsError("EmptyBatchRequest", `There should be at least one ${entryType} in the request.`);
  for (const [index, entry] of entries.entries()) {
    for (const member of ["Id", required] as const) if (entry[member] === undefined) throw missingParameter(`${entryType}.${index + 1}.${member}`);
  }
  if (entries.length > BATCH_MAX) {
    throw sqsError("TooManyEntriesInBatchRequest", `Maximum number of entries per request are ${BATCH_MAX}. You have sent ${entries.length}.`);
  }
  const ids = new Set<string>();
  for (const { Id = "" } of entries) {
    if (!ENTRY_ID.test(Id)) {
      throw sqsError("InvalidBatchEntryId", "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.");
    }
    if (ids.has(Id)) throw sqsError("BatchEntryIdsNotDistinct", `Id ${Id} repeated.`);
    ids.add(Id);
  }
  return entries;
}

/** Does the single action for each entry; an entry that AWS would refuse fails alone. */
export function runBatch<Entry extends BatchEntry, Result>(entries: readonly Entry[], run: (entry: Entry) => Result): BatchOutput<Result & { Id: string }> {
  const successful: (Result & { Id: string })[] = [];
  const failed: BatchResultErrorEntry[] = [];
  for (const entry of entries) {
    const Id = String(entry.Id); // checked before
    try {
      successful.push({ Id, ...run(entry) });
    } catch (error) {
      if (!isAwsError(error)) throw error;
      failed.push({ Id, SenderFault: error.$fault === "client", Code: error.Code, Message: error.message });
    }
  }
  const output = {} as BatchOutput<Result & { Id: string }>; // its members are absent while they are empty
  if (successful.length > 0) output.Successful = successful;
  if (failed.length > 0) output.Failed = failed;
  return output;
}
