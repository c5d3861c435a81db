import { match, type Mismatch } from "./matching.js";
import { lackIn } from "./unavailable.js";
import { loadClient } from "./sdk-client.js";

/** How a call ended. */
export type Outcome = { readonly virtualMs: number } & ({ readonly output: unknown } | { readonly error: unknown });

/** What a call's end is compared with. */
export type Expectation =
  | { readonly output: unknown; readonly virtualSeconds?: number }
  | { readonly error: ErrorExpectation }
  | { readonly oneOf: readonly Expectation[] }
  | { readonly oneOfErrors: readonly string[] }
  | { readonly clientRefuses: true };

export interface ErrorExpectation {
  /** One of these is the error's name or its legacy code. */
  readonly name?: readonly string[];
  /** A part of the message, in any case of letters; or a pattern on it. */
  readonly message?: unknown;
  readonly status?: number;
  /** An exception class that the SDK's client package exports. */
  readonly instanceOf?: string;
  /** A pattern on the error object. */
  readonly fields?: unknown;
}

/**
 * Compares how a call ended with what is expected; without an expectation it has to succeed.
 *
 * @throws what the call failed with, when that says that the sandbox lacks something
 */
export function matchOutcome(expected: Expectation | undefined, outcome: Outcome, service: string): Mismatch | undefined {
  if ("error" in outcome && !acceptsAnyError(expected) && lackIn(outcome.error) !== undefined) throw outcome.error;
  return matchOneOutcome(expected ?? { output: {} }, outcome, service);
}

function acceptsAnyError(expected: Expectation | undefined): boolean {
  if (expected === undefined) return false;
  return "clientRefuses" in expected || ("oneOf" in expected && expected.oneOf.some(acceptsAnyError));
}

function matchOneOutcome(expected: Expectation, outcome: Outcome, service: string): Mismatch | undefined {
  if ("oneOf" in expected) return matchAlternatives(expected.oneOf, outcome, service);
  if ("output" in expected) return matchOutput(expected, outcome);
  if (!("error" in outcome)) return { path: "error", expected: "error" in expected ? expected.error : expected, actual: outcome.output };
  if ("clientRefuses" in expected) return undefined;
  return matchError("oneOfErrors" in expected ? { name: expected.oneOfErrors } : expected.error, outcome.error, service);
}

function matchAlternatives(alternatives: readonly Expectation[], outcome: Outcome, service: string): Mismatch | undefined {
  const mismatches = alternatives.map((alternative) => matchOneOutcome(alternative, outcome, service));
  if (mismatches.includes(undefined)) return undefined;
  // The one that went wrong deepest inside is the nearest.
  return mismatches.reduce((nearest, mismatch) => ((mismatch?.path.length ?? 0) > (nearest?.path.length ?? 0) ? mismatch : nearest));
}

function matchOutput(expected: { output: unknown; virtualSeconds?: number }, outcome: Outcome): Mismatch | undefined {
  if ("error" in outcome) return { path: "output", expected: expected.output, actual: outcome.error };
  const { virtualSeconds } = expected;
  if (virtualSeconds !== undefined && outcome.virtualMs > virtualSeconds * 1000) return { path: "virtualSeconds", expected: virtualSeconds, actual: outcome.virtualMs / 1000 };
  return match(expected.output, outcome.output, "output");
}

interface AwsErrorMembers {
  readonly name?: string;
  readonly message?: string;
  /** The legacy code, as one SDK or the other has it. */
  readonly Code?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Compares an error with what is expected of it. `service` says where its class is exported. */
export function matchError(expected: ErrorExpectation, error: unknown, service: string): Mismatch | undefined {
  const { name, message, Code, code, $metadata } = error as AwsErrorMembers; // whatever was thrown has some of them or none
  if (expected.name !== undefined && ![name, Code, code].some((known) => known !== undefined && expected.name?.includes(known))) {
    return { path: "error.name", expected: expected.name, actual: error };
  }
  if (expected.status !== undefined && $metadata?.httpStatusCode !== expected.status) return { path: "error.status", expected: expected.status, actual: $metadata?.httpStatusCode };
  if (expected.instanceOf !== undefined && !isInstanceOf(error, service, expected.instanceOf)) {
    return { path: "error.instanceOf", expected: expected.instanceOf, actual: Object.getPrototypeOf(error)?.constructor?.name };
  }
  return matchText(expected.message, message, "error.message") ?? (expected.fields === undefined ? undefined : match(expected.fields, error, "error"));
}

/** A text is found in the actual one, whatever the case of its letters; anything else is a pattern. */
export function matchText(expected: unknown, actual: string | undefined, path: string): Mismatch | undefined {
  if (expected === undefined) return undefined;
  if (typeof expected !== "string") return match(expected, actual, path);
  return actual?.toLowerCase().includes(expected.toLowerCase()) === true ? undefined : { path, expected, actual };
}

function isInstanceOf(error: unknown, service: string, className: string): boolean {
  const ErrorClass = loadClient(service)?.[className];
  return typeof ErrorClass === "function" && error instanceof ErrorClass;
}
