import { sqsError } from "./errors.js";
import { readQueueArn } from "./queue-url.js";

/** What a task handle names: a move task and the dead-letter queue it empties. */
export interface TaskHandle {
  readonly taskId: string;
  readonly sourceArn: string;
}

/** Handles are JSON in base64, as AWS's. */
export function writeTaskHandle({ taskId, sourceArn }: TaskHandle): string {
  return Buffer.from(JSON.stringify({ taskId, sourceArn })).toString("base64");
}

/** @throws InvalidParameterValue for a text that is no handle */
export function readTaskHandle(handle: string): TaskHandle {
  const value = parse(Buffer.from(handle, "base64").toString());
  if (typeof value === "object" && value !== null && "taskId" in value && "sourceArn" in value) {
    const { taskId, sourceArn } = value;
    if (typeof taskId === "string" && typeof sourceArn === "string" && readQueueArn(sourceArn) !== undefined) return { taskId, sourceArn };
  }
  throw sqsError("InvalidParameterValue", "Value for parameter TaskHandle is invalid.");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON, so no handle
  }
}
