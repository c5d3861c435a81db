import type { Caller } from "sandstack";
import type { Instance } from "../instance.js";
import { sendDirectly } from "./direct.js";
import { sendInProcess, sendOverHttp, sendOverQuery } from "./sdk.js";

/** One call of an AWS operation. */
export interface AwsCall {
  /** The SDK's name of the service: `sqs`. */
  readonly service: string;
  /** The command's name without `Command`. */
  readonly operation: string;
  readonly input: object;
  readonly caller: Caller | undefined;
  readonly accountId: string;
  readonly region: string;
}

/** Makes a call in a simulator and answers its output. */
export type Send = (instance: Instance, call: AwsCall) => Promise<object>;

/** A way in which a case's calls can be made. */
interface WayOfCalling {
  readonly send: Send;
  /** How long a call or an answer may be under way, in real milliseconds. */
  readonly latencyMs: number;
}

export const ways = {
  /** `simAws.sqs().sendMessage(command)` */
  direct: { send: sendDirectly, latencyMs: 0 },
  /** A real SDK client, answered in process. */
  sdk: { send: sendInProcess, latencyMs: 0 },
  /** A real SDK client against the HTTP endpoint. */
  http: { send: sendOverHttp, latencyMs: 20 },
  /** The same, with SQS speaking the Query protocol that older clients speak. */
  "http-query": { send: sendOverQuery, latencyMs: 20 },
} satisfies Record<string, WayOfCalling>;

export type Way = keyof typeof ways;
