import type { TimestampFormat } from "./shape.js";

/** Writes a timestamp; epoch seconds keep the milliseconds as a fraction, as AWS does. */
export function formatTimestamp(date: Date, format: TimestampFormat): string | number {
  switch (format) {
    case "date-time":
      return date.toISOString().replace(".000Z", "Z");
    case "http-date":
      return date.toUTCString();
    case "epoch-seconds":
      return date.getTime() / 1000;
  }
}

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d(\.\d+)? GMT$/;
const EPOCH_SECONDS = /^-?\d+(\.\d+)?$/;

/** Reads a timestamp's text in any of the formats, as AWS's front ends do; `undefined` when it is none. */
export function parseTimestamp(text: string): Date | undefined {
  if (EPOCH_SECONDS.test(text)) return dateOf(Number(text) * 1000);
  if (DATE_TIME.test(text) || HTTP_DATE.test(text)) return dateOf(Date.parse(text));
  return undefined;
}

/** A date, or `undefined` for a number that no date has. */
export function dateOf(epochMs: number): Date | undefined {
  const date = new Date(Math.round(epochMs));
  return Number.isNaN(date.getTime()) ? undefined : date;
}
