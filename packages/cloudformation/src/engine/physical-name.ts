import { LOWER_ALPHANUMERIC, MIXED_ALPHANUMERIC, randomText, type RandomState } from "@sandstack/core";

export interface PhysicalNameOptions {
  /** The service's limit, suffix included. Default 64. */
  readonly maxLength?: number;
  /** Kept whole at the end: `.fifo`. */
  readonly suffix?: string;
  readonly lowerCase?: boolean;
}

const RANDOM_LENGTH = 12;

/** `<stack>-<logical id>-<12 random characters>`: the first two share what the limit leaves, the random part is kept whole. */
export function physicalName(random: RandomState, stackName: string, logicalId: string, { maxLength = 64, suffix = "", lowerCase = false }: PhysicalNameOptions = {}): string {
  const room = maxLength - suffix.length - RANDOM_LENGTH - 2;
  const half = Math.floor(room / 2);
  const stackRoom = Math.max(half, room - logicalId.length);
  const stackPart = stackName.slice(0, stackRoom);
  const logicalPart = logicalId.slice(0, room - stackPart.length);
  const name = `${stackPart}-${logicalPart}-${randomText(random, RANDOM_LENGTH, lowerCase ? LOWER_ALPHANUMERIC : MIXED_ALPHANUMERIC)}${suffix}`;
  return lowerCase ? name.toLowerCase() : name;
}
