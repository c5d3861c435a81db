import { types } from "node:util";
import type { WireRequest } from "./http.js";
import type { OperationRoute } from "./route.js";
import { unknownAction } from "./wire-errors.js";

/**
 * What SQS's wire does beyond its model: a queue's own URL is an endpoint of the Query protocol, and a trace travels in a header.
 */

/** True for the path of a queue's URL: `/123456789012/orders`. */
export function isQueuePath(path: string): boolean {
  return /^\/\d{12}\/[^/]+\/?$/.test(path);
}

/** Actions that AWS refuses at a queue's own URL. */
const ACTIONS_AT_THE_ROOT = new Set(["CreateQueue", "ListQueues"]);

/** The input with what its request says besides. @throws InvalidAction (400) for an action that no queue's own URL takes */
export function withSqsRules({ operation, protocol }: OperationRoute, input: unknown, request: WireRequest): unknown {
  const { service, name } = operation;
  if (protocol !== "awsQuery") return withTraceHeader(name, input, request);
  if (ACTIONS_AT_THE_ROOT.has(name) && isQueuePath(request.path)) throw unknownAction(service, name);
  const takesQueueUrl = operation.input.members.some((member) => member.name === "QueueUrl");
  return withTraceHeader(name, takesQueueUrl ? withQueueOfPath(input, request) : input, request);
}

/** The input with the queue's URL taken from the path, unless a parameter names another. */
function withQueueOfPath(input: unknown, request: WireRequest): unknown {
  const given = input as { QueueUrl?: string }; // decoded by the operation's input shape
  if (given.QueueUrl !== undefined || !isQueuePath(request.path)) return input;
  return { ...given, QueueUrl: `http://${request.headers["host"] ?? "127.0.0.1"}${request.path}` };
}

/** The input of SendMessage with the trace of the header `X-Amzn-Trace-Id`, which AWS keeps as a system attribute of the message. */
function withTraceHeader(operationName: string, input: unknown, request: WireRequest): unknown {
  const trace = request.headers["x-amzn-trace-id"];
  if (operationName !== "SendMessage" || trace === undefined) return input;
  const given = input as { MessageSystemAttributes?: Record<string, unknown> }; // decoded by SendMessage's input shape
  const AWSTraceHeader = { DataType: "String", StringValue: trace };
  return { ...given, MessageSystemAttributes: { AWSTraceHeader, ...given.MessageSystemAttributes } };
}

/**
 * An output whose queue URLs lead to where the client reached the sandbox: SQS's own, and those that a stack has among its resources and outputs.
 * SDKs call the host of a queue's URL, which must not be AWS's.
 */
export function withQueueUrlsAt(origin: string, serviceId: string, output: object): object {
  if (serviceId === "sqs") return withOwnQueueUrlsAt(origin, output);
  return serviceId === "cloudformation" ? (anyQueueUrlAt(origin, output) as object) : output; // it keeps the kind of what it is given
}

function withOwnQueueUrlsAt(origin: string, output: object): object {
  const moved: Record<string, unknown> = { ...output };
  // `queueUrls` is ListDeadLetterSourceQueues' own spelling.
  for (const name of ["QueueUrl", "QueueUrls", "queueUrls"]) {
    const given = moved[name];
    if (typeof given === "string") moved[name] = urlAt(origin, given);
    else if (Array.isArray(given)) moved[name] = given.map((url) => urlAt(origin, String(url)));
  }
  return moved;
}

const AWS_QUEUE_URL = /^https:\/\/sqs\.[a-z0-9-]+\.amazonaws\.com\/\d{12}\/[\w-]{1,80}(\.fifo)?$/;

/** A value as it is, but for each text in it that is the URL of a queue. */
function anyQueueUrlAt(origin: string, value: unknown): unknown {
  if (typeof value === "string") return AWS_QUEUE_URL.test(value) ? urlAt(origin, value) : value;
  if (Array.isArray(value)) return value.map((item) => anyQueueUrlAt(origin, item));
  if (typeof value !== "object" || value === null || types.isDate(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, anyQueueUrlAt(origin, member)]));
}

function urlAt(origin: string, url: string): string {
  return origin + new URL(url).pathname;
}

/** The older protocol says one message in other words. */
export function queryMessageOf(errorName: string, message: string): string {
  return errorName === "QueueDoesNotExist" && message === "The specified queue does not exist." ? "The specified queue does not exist for this wsdl version." : message;
}
