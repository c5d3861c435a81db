import type { Parameter, Tag } from "@aws-sdk/client-cloudformation";
import { isAwsError, type Caller, type OperationContext, type Principal } from "@sandstack/core";
import type {} from "@sandstack/iam";
import { prepareTemplate, type PreparedTemplate } from "./engine/prepare.js";
import { constraintError, validationError } from "./errors.js";
import { MAX_STACK_TAGS, MAX_TEMPLATE_BODY_BYTES } from "./limits.js";
import type { CloudFormationState, StackSettings } from "./state.js";
import { checkCapabilities } from "./template/capabilities.js";
import { bootstrapParameters, type GivenParameter, type ParameterValue } from "./template/parameters.js";

const CLOUDFORMATION_PRINCIPAL = "cloudformation.amazonaws.com";

/** The member of an input that carries what the sandbox's own deployments add. A symbol: no request of AWS's has it. */
export const SANDBOX: unique symbol = Symbol.for("sandstack.cloudformation.deployment");

/** What deployTemplate can say beyond CreateStack and UpdateStack. */
export interface SandboxDeployment {
  /** Of any size; left out, the input's own is taken. */
  readonly template?: string | object | undefined;
  /** True: what AWS refuses of properties and sizes is refused. */
  readonly isStrict: boolean;
  /** By a function's logical id, construct path or name. */
  readonly codeOverrides: Readonly<Record<string, Uint8Array>>;
  /** True: parameters that are not given keep the value they had. */
  readonly keepsParameters: boolean;
}

/** What the inputs of CreateStack, UpdateStack and CreateChangeSet have in common. */
export interface DeploymentInput {
  readonly TemplateBody?: string | undefined;
  readonly TemplateURL?: string | undefined;
  readonly UsePreviousTemplate?: boolean | undefined;
  readonly Parameters?: readonly Parameter[] | undefined;
  readonly Capabilities?: readonly string[] | undefined;
  readonly ResourceTypes?: readonly string[] | undefined;
  readonly RoleARN?: string | undefined;
  readonly NotificationARNs?: readonly string[] | undefined;
  readonly Tags?: readonly Tag[] | undefined;
  readonly [SANDBOX]?: SandboxDeployment | undefined;
}

/** What a request asks for, checked. */
export interface Deployment {
  readonly prepared: PreparedTemplate;
  readonly settings: StackSettings;
  /** Who asks the services for the stack's resources. */
  readonly caller: Caller | undefined;
}

export interface DeploymentTarget {
  readonly stackName: string;
  readonly stackId: string;
  /** What the stack has now, where it is updated. */
  readonly previous?: StackSettings | undefined;
}

/**
 * Checks a request to make or change a stack: template, parameters, capabilities, tags, role.
 *
 * @throws AWS's error; nothing has been changed
 */
export function prepareDeployment(ctx: OperationContext<CloudFormationState>, input: DeploymentInput, target: DeploymentTarget): Deployment {
  const sandbox = input[SANDBOX];
  const { previous } = target;
  const capabilities = capabilitiesOf(input.Capabilities);
  const notificationArns = [...(input.NotificationARNs ?? previous?.notificationArns ?? [])];
  const prepared = prepareTemplate({
    ...target,
    template: sandbox?.template ?? templateOf(ctx, input, previous),
    parameters: givenParameters(input.Parameters ?? [], sandbox?.keepsParameters === true ? (previous?.parameters ?? []) : []),
    previousParameters: previous?.parameters ?? [],
    scope: ctx.scope,
    notificationArns,
    isStrict: sandbox?.isStrict ?? true,
    codeOverrides: sandbox?.codeOverrides ?? {},
    resourceTypes: ctx.resourceTypes,
    parameterStore: bootstrapParameters,
  });
  checkCapabilities(prepared.template, capabilities);
  checkAllowedTypes(prepared, input.ResourceTypes ?? []);
  const tags = input.Tags === undefined ? (previous?.tags ?? {}) : tagsOf(input.Tags);
  const roleArn = input.RoleARN ?? previous?.roleArn;
  const caller = deployingCaller(ctx, roleArn);
  const { text, parameters, template } = prepared;
  return { prepared, caller, settings: { templateText: text, description: template.description, parameters, tags, capabilities, notificationArns, roleArn } };
}

const CAPABILITIES = ["CAPABILITY_NAMED_IAM", "CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"];

/** @throws ValidationError for a capability that there is not */
function capabilitiesOf(given: readonly string[] = []): string[] {
  if (given.every((capability) => CAPABILITIES.includes(capability))) return [...given];
  throw constraintError("capabilities", `[${given.join(", ")}]`, `Member must satisfy constraint: [Member must satisfy enum value set: [${CAPABILITIES.join(", ")}]]`);
}

/** Parameters as given; with `kept`, those not given keep their value. */
function givenParameters(given: readonly Parameter[], kept: readonly ParameterValue[]): GivenParameter[] {
  const parameters = given.map(({ ParameterKey = "", ParameterValue, UsePreviousValue }) => ({ key: ParameterKey, value: ParameterValue, usePreviousValue: UsePreviousValue }));
  const isGiven = new Set(parameters.map(({ key }) => key));
  return [...parameters, ...kept.filter(({ name }) => !isGiven.has(name)).map(({ name }) => ({ key: name, usePreviousValue: true }))];
}

/** The template's text, wherever the request has it. */
export function templateOf(ctx: Pick<OperationContext<CloudFormationState>, "assets">, input: Pick<DeploymentInput, "TemplateBody" | "TemplateURL" | "UsePreviousTemplate">, previous?: StackSettings): string {
  const { TemplateBody, TemplateURL, UsePreviousTemplate } = input;
  if (UsePreviousTemplate === true && previous !== undefined) return previous.templateText;
  if (TemplateBody !== undefined && TemplateURL !== undefined) throw validationError("You must specify only one of Template URL or Template Body.");
  if (TemplateBody !== undefined) {
    if (Buffer.byteLength(TemplateBody) <= MAX_TEMPLATE_BODY_BYTES) return TemplateBody;
    throw validationError(`1 validation error detected: Value '${TemplateBody}' at 'templateBody' failed to satisfy constraint: Member must have length less than or equal to ${MAX_TEMPLATE_BODY_BYTES}`);
  }
  if (TemplateURL === undefined) throw validationError("Either Template URL or Template Body must be specified.");
  return templateAt(ctx, TemplateURL);
}

/** @throws ValidationError for what is no URL of S3, and for an object that nobody has published */
function templateAt({ assets }: Pick<OperationContext<CloudFormationState>, "assets">, url: string): string {
  if (url.startsWith("s3://")) throw validationError("S3 error: Domain name specified in BUCKET is not a valid S3 domain");
  const place = bucketAndKeyOf(url);
  if (place === undefined) throw validationError("TemplateURL must be a supported URL.");
  const asset = assets.find(place.bucket, place.key);
  const [file] = Object.values(asset?.files() ?? {});
  if (file === undefined) throw validationError(`S3 error: The specified key does not exist. The sandbox has no file ${place.key} of the bucket ${place.bucket}.`);
  return Buffer.from(file).toString("utf8");
}

/** Reads the forms of S3's URLs: the bucket in the host name or as the first part of the path, whatever the host of a local endpoint. */
function bucketAndKeyOf(url: string): { bucket: string; key: string } | undefined {
  if (!URL.canParse(url) || !/^https?:/.test(url)) return undefined;
  const { hostname, pathname } = new URL(url);
  const path = decodeURIComponent(pathname.slice(1));
  const inHost = /^(.+)\.s3[.-][a-z0-9.-]*amazonaws\.com(\.cn)?$/.exec(hostname)?.[1];
  if (inHost !== undefined) return { bucket: inHost, key: path };
  if (!/^(s3[.-][a-z0-9.-]*amazonaws\.com(\.cn)?|localhost|127\.0\.0\.1)$/.test(hostname)) return undefined;
  const slash = path.indexOf("/");
  return slash < 1 || slash === path.length - 1 ? undefined : { bucket: path.slice(0, slash), key: path.slice(slash + 1) };
}

/** @throws ValidationError for a type that the request's own list does not allow */
function checkAllowedTypes({ template }: PreparedTemplate, allowed: readonly string[]): void {
  if (allowed.length === 0) return;
  const isAllowed = (type: string): boolean => allowed.some((pattern) => pattern === type || (pattern.endsWith("*") && type.startsWith(pattern.slice(0, -1))));
  const refused = Object.values(template.resources).find(({ type }) => !isAllowed(type));
  if (refused !== undefined) throw validationError(`Resource type ${refused.type} is not allowed by parameter ResourceTypes [${allowed.join(", ")}]`);
}

function tagsOf(tags: readonly Tag[]): Record<string, string> {
  if (tags.length > MAX_STACK_TAGS) throw validationError(`1 validation error detected: Value at 'tags' failed to satisfy constraint: Member must have length less than or equal to ${MAX_STACK_TAGS}`);
  const reserved = tags.find(({ Key = "" }) => Key.toLowerCase().startsWith("aws:"));
  if (reserved !== undefined) throw validationError("aws: prefixed tag key names are not allowed for external use.");
  return Object.fromEntries(tags.map(({ Key = "", Value = "" }) => [Key, Value]));
}

/**
 * The role, where the request gives one and the caller may pass it; else the caller.
 *
 * @throws ValidationError when there is no such role, or it does not trust CloudFormation
 */
export function deployingCaller(ctx: OperationContext<CloudFormationState>, roleArn: string | undefined): Caller | undefined {
  if (roleArn === undefined || !ctx.isIamEnforced) return callerOf(ctx.caller);
  ctx.authorizeAlso({ action: "iam:PassRole", resource: roleArn, context: { "iam:PassedToService": CLOUDFORMATION_PRINCIPAL } });
  if (canAssume(ctx, roleArn)) return { kind: "arn", arn: roleArn };
  // The execution role of the CDK's bootstrap stack may do everything; it is not missed where nobody has bootstrapped.
  if (/:role\/cdk-[a-z0-9]+-cfn-exec-role-/.test(roleArn)) return undefined;
  throw validationError("Role ARN is invalid or cannot be assumed");
}

function canAssume(ctx: OperationContext<CloudFormationState>, RoleArn: string): boolean {
  try {
    return ctx.isAllowed("sts", "AssumeRole", { RoleArn, RoleSessionName: "AWSCloudFormation" }, { caller: { kind: "service", service: CLOUDFORMATION_PRINCIPAL } });
  } catch (error) {
    if (isAwsError(error)) return false;
    throw error;
  }
}

/** A principal as a caller, so that what it starts can be done in its name later. */
function callerOf(principal: Principal): Caller | undefined {
  switch (principal.kind) {
    case "root":
      return undefined;
    case "service":
      return { kind: "service", service: principal.service };
    case "anonymous":
      return { kind: "anonymous" };
    case "role-session":
      return principal.credentials === undefined ? { kind: "arn", arn: principal.arn } : { kind: "credentials", credentials: principal.credentials };
    default:
      return { kind: "arn", arn: principal.arn };
  }
}
