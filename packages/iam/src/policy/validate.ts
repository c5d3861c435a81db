import { isConditionOperator } from "./condition.js";
import { isJsonObject, listOf, statementsOf, textsOf, type JsonObject } from "./document.js";

/** What a policy is attached to, which decides what it must and must not say. */
export type PolicyKind = "identity" | "trust" | "resource";

const SYNTAX = "Syntax errors in policy.";
const LEGACY = "The policy failed legacy parsing";
const VERSIONS = new Set(["2008-10-17", "2012-10-17"]);
const DOCUMENT_MEMBERS = new Set(["Version", "Id", "Statement"]);
const STATEMENT_MEMBERS = new Set(["Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource", "Condition"]);
const PRINCIPAL_TYPES = new Set(["AWS", "Service", "Federated", "CanonicalUser"]);
const TRUST_ACTION = /^sts:/i;
/** Dates as IAM's parser takes them, from a year on; a time without a zone is UTC. */
const DATE = /^\d{2,}(-(0[1-9]|1[0-2])(-\d{2})?)?(T(\d{1,2}(:\d{2}(:\d{2}(\.\d{1,9})?)?)?(Z|[+-]\d{2}(:?\d{2})?)?)?)?$/i;
const PARTITIONS = /^(aws|aws-cn|aws-us-gov|aws-iso|aws-iso-b|aws-iso-e|aws-iso-f|aws-eusc|\*|.*\$\{.*)$/;
const IAM_RESOURCE = /^(\*|.*[*?$].*|root|(user|federated-user|role|group|instance-profile|mfa|server-certificate|policy|sms-mfa|saml-provider|oidc-provider|report|access-report)\/.*)$/;

/**
 * What is wrong with a policy's text, in IAM's words; `undefined` when nothing is. IAM tells the first fault it meets, in the order
 * kept here.
 *
 * @param options.requireVersion true for managed policies, which must be of version 2012-10-17
 */
export function policyFault(text: string, kind: PolicyKind, options: { requireVersion?: boolean } = {}): string | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return kind === "trust" ? "This policy contains invalid Json" : SYNTAX; // JSON.parse fails for one reason only
  }
  if (!isJsonObject(document) || !isWellFormed(document)) return SYNTAX;
  if (options.requireVersion === true && document["Version"] !== "2012-10-17") return "Policy document must be version 2012-10-17 or greater.";
  const statements = statementsOf(document);
  return legacyFault(statements) ?? sidFault(statements, kind) ?? (kind === "trust" ? trustFault(statements) : permissionFault(statements, kind));
}

function isWellFormed(document: JsonObject): boolean {
  const { Version, Id, Statement } = document;
  if (!Object.keys(document).every((member) => DOCUMENT_MEMBERS.has(member))) return false;
  if (Version !== undefined && !(typeof Version === "string" && VERSIONS.has(Version))) return false;
  if (Id !== undefined && typeof Id !== "string") return false;
  const statements = listOf(Statement);
  return statements.length > 0 && statements.every((statement) => isJsonObject(statement) && isWellFormedStatement(statement));
}

function isWellFormedStatement(statement: JsonObject): boolean {
  const { Sid, Effect, Action, NotAction, Resource, NotResource, Principal, NotPrincipal, Condition } = statement;
  if (!Object.keys(statement).every((member) => STATEMENT_MEMBERS.has(member))) return false;
  if (typeof Effect !== "string" || !/^(allow|deny)$/i.test(Effect)) return false;
  if (Sid !== undefined && typeof Sid !== "string") return false;
  if (Action !== undefined && NotAction !== undefined) return false;
  if (Resource !== undefined && NotResource !== undefined) return false;
  if (Principal !== undefined && NotPrincipal !== undefined) return false;
  if (![Action, NotAction, Resource, NotResource].every(isTextOrTexts)) return false;
  return isWellFormedCondition(Condition);
}

function isTextOrTexts(value: unknown): boolean {
  return value === undefined || typeof value === "string" || (Array.isArray(value) && value.every((item) => typeof item === "string"));
}

function isWellFormedCondition(condition: unknown): boolean {
  if (condition === undefined) return true;
  if (!isJsonObject(condition)) return false;
  return Object.entries(condition).every(([operator, byKey]) => {
    if (!isJsonObject(byKey)) return false;
    // An operator with no keys says nothing, whatever it is called.
    if (Object.keys(byKey).length > 0 && !isConditionOperator(operator)) return false;
    return Object.values(byKey).every((value) => listOf(value).every((item) => ["string", "number", "boolean"].includes(typeof item)));
  });
}

/** Faults that IAM's older parser finds: effects in another case, dates and ARNs that are none. */
function legacyFault(statements: readonly JsonObject[]): string | undefined {
  const isFaulty = statements.some(
    ({ Effect, Condition, Resource, NotResource }) =>
      (Effect !== "Allow" && Effect !== "Deny") || hasBadDate(Condition) || [...textsOf(Resource), ...textsOf(NotResource)].some(isShortArn),
  );
  return isFaulty ? LEGACY : undefined;
}

function hasBadDate(condition: unknown): boolean {
  if (!isJsonObject(condition)) return false;
  return Object.entries(condition).some(
    ([operator, byKey]) => /^(for(all|any)values?:)?date/i.test(operator) && Object.values(byKey as JsonObject).some((value) => textsOf(value).some((date) => !isDate(date))), // its form was checked
  );
}

function isDate(text: string): boolean {
  // Epoch seconds fit 64 bits.
  if (/^-?\d{5,}$/.test(text)) return Math.abs(Number(text)) < 2 ** 63;
  return text.includes("${") || DATE.test(text);
}

/** An ARN of five parts whose service is known to be whole: `arn:aws:s3::bucket`. */
function isShortArn(text: string): boolean {
  const parts = text.split(":");
  if (parts[0] !== "arn" || text.includes("*") || text.includes("${")) return false;
  return parts[1] === "aws" && ((parts.length > 3 && parts.length < 6) || (parts.length >= 6 && parts[2] === ""));
}

function sidFault(statements: readonly JsonObject[], kind: PolicyKind): string | undefined {
  const sids = statements.flatMap(({ Sid }) => textsOf(Sid)).filter((sid) => sid !== "");
  // IAM itself takes letters and digits alone; other services take more.
  if (kind !== "resource" && !sids.every((sid) => /^[0-9A-Za-z]*$/.test(sid))) {
    return "Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression [0-9A-Za-z]*";
  }
  return new Set(sids).size < sids.length ? "Statement IDs (SID) in a single policy must be unique." : undefined;
}

function permissionFault(statements: readonly JsonObject[], kind: PolicyKind): string | undefined {
  if (kind === "identity" && statements.some(({ Principal, NotPrincipal }) => Principal !== undefined || NotPrincipal !== undefined)) {
    return "Policy document should not specify a principal.";
  }
  if (kind === "resource" && statements.some(({ Principal, NotPrincipal }) => !isPrincipal(Principal ?? NotPrincipal))) return "Missing required field Principal";
  if (statements.some((statement) => actionsOf(statement).length === 0)) return "Policy statement must contain actions.";
  if (statements.some((statement) => resourcesOf(statement).length === 0)) return "Policy statement must contain resources.";
  return firstFault(statements.flatMap(resourcesOf), resourceFault) ?? firstFault(statements.flatMap(actionsOf), actionFault);
}

function actionsOf({ Action, NotAction }: JsonObject): readonly string[] {
  return textsOf(Action ?? NotAction);
}

function resourcesOf({ Resource, NotResource }: JsonObject): readonly string[] {
  return textsOf(Resource ?? NotResource);
}

function firstFault(texts: readonly string[], faultOf: (text: string) => string | undefined): string | undefined {
  for (const text of texts) {
    const fault = faultOf(text);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function actionFault(action: string): string | undefined {
  if (action === "*") return undefined;
  const [vendor = "", ...rest] = action.split(":");
  if (rest.length === 0) return "Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.";
  if (rest.length > 1) return "Actions/Condition can contain only one colon.";
  return /^[A-Za-z0-9_.*?-]+$/.test(vendor) ? undefined : `Vendor ${vendor} is not valid`;
}

function resourceFault(resource: string): string | undefined {
  // Wildcards and variables may stand for whole parts.
  if (resource === "*" || /^[*?$]/.test(resource)) return undefined;
  if (!resource.includes(":")) return `Resource ${resource} must be in ARN format or "*".`;
  const [, partition = "", vendor, region = "", account, ...path] = resource.split(":");
  if (!PARTITIONS.test(partition)) return `Partition "${partition}" is not valid for resource "${padArn(resource)}".`;
  if (vendor === undefined || vendor === "" || (vendor !== "*" && /[*?]/.test(vendor))) return "Resource vendor must be fully qualified and cannot contain regexes.";
  if (region !== "" && region !== "*") {
    if (vendor === "iam") return `IAM resource ${resource} cannot contain region information.`;
    if (vendor === "s3") return `Resource ${resource} can not contain region information.`;
  }
  if (vendor === "iam" && account !== undefined && path.length > 0 && !IAM_RESOURCE.test(path.join(":"))) {
    return 'IAM resource path must either be "*" or start with user/, federated-user/, role/, group/, instance-profile/, mfa/, server-certificate/, policy/, sms-mfa/, saml-provider/, oidc-provider/, report/, access-report/.';
  }
  return undefined;
}

/** A faulty ARN as IAM shows it: with `arn` in front and stars for the parts that are missing. */
function padArn(resource: string): string {
  const [, ...given] = resource.split(":");
  const parts = given.slice(0, 5);
  const rest = given.slice(5);
  while (parts.length < 5) parts.push("*");
  return ["arn", ...parts, ...rest].join(":");
}

function trustFault(statements: readonly JsonObject[]): string | undefined {
  for (const statement of statements) {
    const { Principal, NotPrincipal, Resource, NotResource } = statement;
    if (Resource !== undefined || NotResource !== undefined) return "Has prohibited field Resource";
    if (!isPrincipal(Principal ?? NotPrincipal)) return "Missing required field Principal";
    if (actionsOf(statement).length === 0) return "Policy statement must contain actions.";
    const fault = firstFault(actionsOf(statement), actionFault);
    if (fault !== undefined) return fault;
    if (!actionsOf(statement).every((action) => TRUST_ACTION.test(action))) return "AssumeRole policy may only specify STS AssumeRole actions.";
    const principal = badPrincipal(Principal ?? NotPrincipal);
    if (principal !== undefined) return `Invalid principal in policy: ${principal}`;
  }
  return undefined;
}

function isPrincipal(element: unknown): boolean {
  if (typeof element === "string") return element === "*";
  return isJsonObject(element) && Object.keys(element).length > 0 && Object.entries(element).every(([type, value]) => PRINCIPAL_TYPES.has(type) && isTextOrTexts(value));
}

/** The first `AWS` principal that is no account, no ARN of somebody and no unique id, as IAM shows it. */
function badPrincipal(element: unknown): string | undefined {
  if (!isJsonObject(element)) return undefined;
  const bad = textsOf(element["AWS"]).find(
    (text) => !/^(\*|\d{12}|A(IDA|ROA)[A-Z0-9]{12,}|arn:aws[\w-]*:(iam::\d{12}:(root|(user|role)\/[^*?]+)|sts::\d{12}:(assumed-role\/[^/*?]+\/[^/*?]+|federated-user\/[^*?]+)))$/.test(text),
  );
  return bad === undefined ? undefined : `"AWS":"${bad}"`;
}
