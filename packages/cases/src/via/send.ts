import type { Caller, SimAws } from "sandstack";
import { sendDirectly } from "./direct.js";
import { sendThroughSdk } from "./sdk.js";

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

/** Makes a call in a world and answers its output. */
export type Send = (simAws: SimAws, call: AwsCall) => Promise<object>;

/** The ways a case's calls can be made. */
export const ways = {
  /** `simAws.sqs().sendMessage(command)` */
  direct: sendDirectly,
  /** A real SDK client on `simAws.sdkConfig()`. */
  sdk: sendThroughSdk,
} satisfies Record<string, Send>;

export type Way = keyof typeof ways;
