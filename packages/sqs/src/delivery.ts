import { simError } from "@sandstack/core";

/**
 * How loose the standard queues of a world are: what AWS allows them, and does rarely, at a rate that a test can rely on.
 * All chance is drawn from the world's seeded generator: the same seed and calls give the same run.
 *
 * Each member is a probability from 0, never, to 1, always. Default 0. FIFO queues are exact whatever it says.
 */
export interface DeliveryOptions {
  /**
   * That a message comes twice: when it is first received a copy of it stays, with the same `MessageId`, and can be received at
   * once, as from a server that missed the receive or the deletion. The copy has to be deleted by itself, and is not copied again.
   */
  readonly duplicates?: number | undefined;
  /** That a receive hands out a later message before the oldest one, which stays for the next. */
  readonly reorder?: number | undefined;
  /**
   * That a short poll (without a wait time) finds nothing although there are messages, as one that asked the wrong servers. Long
   * polls ask all servers and miss nothing; so do Lambda's event source mappings, which poll long.
   */
  readonly emptyReceives?: number | undefined;
}

/** The same with all its members. */
export type Delivery = { readonly [Name in keyof DeliveryOptions]-?: number };

declare module "@sandstack/core" {
  interface WorldSettings {
    /** Default: exact. */
    delivery?: Delivery | undefined;
  }
}

export const EXACT_DELIVERY: Delivery = { duplicates: 0, reorder: 0, emptyReceives: 0 };

/** @throws SimInvalidOption for a member there is not, or a value that is no probability */
export function readDelivery(options: DeliveryOptions = {}): Delivery {
  const names = Object.keys(EXACT_DELIVERY);
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (!names.includes(name)) throw simError("SimInvalidOption", `There is no delivery option ${name}. There are: ${names.join(", ")}.`);
    if (value === undefined) continue;
    // Written so that NaN is refused, too.
    if (typeof value !== "number" || !(value >= 0 && value <= 1)) throw simError("SimInvalidOption", `delivery.${name} is a probability from 0 to 1; it was given as ${String(value)}.`);
  }
  const { duplicates = 0, reorder = 0, emptyReceives = 0 } = options;
  return { duplicates, reorder, emptyReceives };
}
