import type { Step } from "../case.js";
import type { CaseRun } from "../case-run.js";
import { ACCOUNT_ID, endpointOf, REGION } from "../instance.js";
import { match, XML, type Mismatch } from "../matching.js";
import { generate } from "../values.js";
import { readXml } from "../xml.js";

interface HttpStep {
  readonly http: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** Text, or a generator of one. */
    readonly body?: unknown;
    /** Sent as the query of a GET, else as the body. */
    readonly form?: Readonly<Record<string, unknown>>;
    /** The service in the signature's credential scope. */
    readonly sign: string;
    readonly expect?: HttpExpectation;
  };
  readonly instance?: string;
}

interface HttpExpectation {
  readonly status?: number;
  /** Names in lower case. */
  readonly headers?: unknown;
  readonly json?: unknown;
  readonly xml?: unknown;
  readonly bodyContains?: readonly string[];
  readonly bodyLacks?: readonly string[];
  /** Expressions found in the body. */
  readonly bodyMatches?: readonly string[];
}

/** Makes a raw request to the HTTP endpoint, on the same world. */
export async function runHttp(run: CaseRun, step: Step): Promise<Mismatch | undefined> {
  const { http, instance } = run.filled<HttpStep>(step);
  const { method, path, headers = {}, form, sign, expect = {} } = http;
  const endpoint = await endpointOf(run.instance(instance));
  const body = generate(http.body) as string | Uint8Array<ArrayBuffer> | undefined; // the format's README
  const encodedForm = form === undefined ? undefined : new URLSearchParams(Object.entries(generate(form) as Record<string, string>)).toString(); // the form's own keys
  const isInQuery = method === "GET" || method === "HEAD";
  const response = await fetch(`${endpoint}${path}${isInQuery && encodedForm !== undefined ? `?${encodedForm}` : ""}`, {
    method,
    headers: { ...headers, authorization: administratorsAuthorization(sign) },
    ...(isInQuery ? {} : { body: encodedForm ?? body ?? "" }),
  });
  return matchResponse(expect, response, await response.text());
}

/** A header that names an administrator of the account by its number; the endpoint takes it without checking the signature. */
function administratorsAuthorization(service: string): string {
  return `AWS4-HMAC-SHA256 Credential=${ACCOUNT_ID}/20260101/${REGION}/${service}/aws4_request, SignedHeaders=host, Signature=${"0".repeat(64)}`;
}

function matchResponse({ status, headers, json, xml, bodyContains = [], bodyLacks = [], bodyMatches = [] }: HttpExpectation, response: Response, body: string): Mismatch | undefined {
  if (status !== undefined && response.status !== status) return { path: "status", expected: status, actual: `${response.status}: ${body}` };
  return (
    (headers === undefined ? undefined : match(headers, Object.fromEntries(response.headers), "headers")) ??
    (json === undefined ? undefined : match({ $jsonContains: json }, body, "json")) ??
    (xml === undefined ? undefined : match(xml, readXml(body), "xml", XML)) ??
    bodyContains.map((text) => mismatchUnless(body.includes(text), "bodyContains", text, body)).find(isMismatch) ??
    bodyLacks.map((text) => mismatchUnless(!body.includes(text), "bodyLacks", text, body)).find(isMismatch) ??
    bodyMatches.map((expression) => mismatchUnless(new RegExp(expression).test(body), "bodyMatches", expression, body)).find(isMismatch)
  );
}

function mismatchUnless(isAsExpected: boolean, path: string, expected: string, actual: string): Mismatch | undefined {
  return isAsExpected ? undefined : { path, expected, actual };
}

function isMismatch(mismatch: Mismatch | undefined): mismatch is Mismatch {
  return mismatch !== undefined;
}
