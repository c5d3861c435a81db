import type { CaseResult } from "./runner.js";

/** The most characters of a value that a line shows. */
const SHOWN_CHARACTERS = 400;

/** How a result reads as a line; `undefined` for a case that passed. */
export function reportLine(result: CaseResult): string | undefined {
  if (result.outcome === "passed") return undefined;
  if (result.outcome === "skipped") return `skipped ${result.id}: the sandbox lacks ${result.lacks}`;
  const { step, path, expected, actual } = result.failure;
  return `FAILED ${result.id} step ${step} at ${path}: expected ${show(expected)}, got ${show(actual)} (${result.title})`;
}

function show(value: unknown): string {
  const text = value instanceof Error ? `${value.name}: ${value.message}` : (JSON.stringify(value, showMember) ?? String(value));
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

function showMember(_key: string, member: unknown): unknown {
  if (ArrayBuffer.isView(member)) return { $base64: Buffer.from(member.buffer, member.byteOffset, member.byteLength).toString("base64") };
  return typeof member === "bigint" ? String(member) : member;
}
