import { types } from "node:util";
import { checkChoice, checkOptions, invalidOption, memberNames, type ClockMode } from "@sandstack/core";
import type { DeliveryOptions } from "@sandstack/sqs";

export interface SimAwsOptions {
  /** Twelve digits. Default `"888888888888"`. */
  readonly defaultAccountId?: string;
  /** Default `"us-east-1"`. */
  readonly defaultRegionName?: string;
  /** Where the clock starts. Default: the host's now. */
  readonly startTime?: Date;
  /** Ids and chance are drawn from it: the same seed and calls give the same log. Default: a fixed seed. */
  readonly seed?: string | number;
  /** `"manual"` (default): time stands until it is moved. `"live"`: it runs with the host's. */
  readonly clock?: ClockMode;
  /** `"off"`: nothing is denied and roles need not exist. Default `"enforce"`. */
  readonly iam?: "enforce" | "off";
  /**
   * Makes standard queues as loose as AWS allows them to be: `{ duplicates, reorder, emptyReceives }`, each a probability from 0 to 1,
   * drawn by the seed. A run that failed is repeated by its seed. Default: exact, oldest first, each message to one receiver at a time.
   */
  readonly delivery?: DeliveryOptions;
}

const OPTIONS = memberNames<SimAwsOptions>({ defaultAccountId: true, defaultRegionName: true, startTime: true, seed: true, clock: true, iam: true, delivery: true });

/** @throws SimInvalidOption for an option there is not, or a value that would mean nothing; `delivery` is SQS's to check */
export function checkSimAwsOptions(options: SimAwsOptions): void {
  checkOptions("new SimAws()", options, OPTIONS);
  const { defaultAccountId, defaultRegionName, startTime, seed, clock, iam } = options;
  if (defaultAccountId !== undefined) checkAccountId("defaultAccountId", defaultAccountId);
  if (defaultRegionName !== undefined) checkRegionName("defaultRegionName", defaultRegionName);
  if (startTime !== undefined && !isInstant(startTime)) throw invalidOption("startTime", 'a Date such as new Date("2026-01-01T00:00:00Z")', startTime);
  if (seed !== undefined && typeof seed !== "string" && typeof seed !== "number") throw invalidOption("seed", "a text or a number", seed);
  checkChoice("clock", clock, ["manual", "live"]);
  checkChoice("iam", iam, ["enforce", "off"]);
}

/** Not `instanceof`: inside jest a Date may be of another realm. */
function isInstant(value: unknown): boolean {
  return types.isDate(value) && !Number.isNaN(value.getTime());
}

/** @throws SimInvalidOption for what is no account's id */
export function checkAccountId(option: string, accountId: unknown): void {
  if (typeof accountId !== "string" || !/^\d{12}$/.test(accountId)) throw invalidOption(option, 'an account\'s id, a text of twelve digits such as "111122223333"', accountId);
}

/** @throws SimInvalidOption for what cannot be a region's name. AWS has more regions with time, so any name of their form will do */
export function checkRegionName(option: string, name: unknown): void {
  if (typeof name !== "string" || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) throw invalidOption(option, 'a region\'s name such as "eu-west-1"', name);
}
