import { simError } from "@sandstack/core";
import { validationError } from "../errors.js";
import { isObject, LANGUAGE_EXTENSIONS, SERVERLESS_TRANSFORM, type Template } from "./template.js";

const INLINE = "Fn::Transform";
const SERVERLESS_TYPES = "AWS::Serverless::";

/** The transforms that AWS has and the sandbox lacks (User Guide, Transform reference), but for that of the Serverless Application Model. */
const LACKED = ["AWS::CodeDeployBlueGreen", "AWS::Include", "AWS::SecretsManager-2020-07-23", "AWS::SecretsManager-2024-09-16", "AWS::ServiceCatalog"];

/** True for the types that the transform of the Serverless Application Model makes other resources of; CloudFormation itself has none of them. */
export function isServerlessType(type: string): boolean {
  return type.startsWith(SERVERLESS_TYPES);
}

/**
 * Refuses the transforms that the sandbox lacks: AWS would make another template of this one before it looks at it.
 *
 * @param body a template as read
 * @throws SimUnsupported naming the transform; ValidationError for a macro, of which the account has none
 */
export function refuseTransforms(body: Readonly<Record<string, unknown>>, declared: readonly string[]): void {
  for (const name of [...declared, ...inlineTransforms(body)]) {
    if (name === LANGUAGE_EXTENSIONS || name === SERVERLESS_TRANSFORM) continue;
    if (!LACKED.includes(name)) throw validationError(`No transform named ${name} found.`);
    throw lackOf(name, "the template would not say what is meant");
  }
}

/**
 * Refuses what only the transform of the Serverless Application Model makes resources of. A template that names the transform and has
 * nothing for it is what it says.
 *
 * @throws SimUnsupported naming the resources
 */
export function refuseServerless({ resources }: Template): void {
  const found = Object.entries(resources).filter(([, { type }]) => isServerlessType(type));
  if (found.length === 0) return;
  const named = found.map(([logicalId, { type }]) => `${logicalId} (${type})`).join(", ");
  throw lackOf(SERVERLESS_TRANSFORM, `nothing would be made of ${named}`, "Write functions as AWS::Lambda::Function and their queues as AWS::Lambda::EventSourceMapping, define the stack with the CDK, or");
}

function lackOf(transform: string, consequence: string, others = "Write out what the transform makes, or"): Error {
  // What `sam build` and `sam package` put out still has the transform: AWS carries it out.
  const way = `${others} deploy the template that AWS made of it: "aws cloudformation get-template --template-stage Processed" on a deployed stack gives it.`;
  return simError("SimUnsupported", `The sandbox has not got the transform ${transform}. AWS makes another template of this one by it; without it ${consequence}. ${way}`);
}

/** The names in all `Fn::Transform` of a value, wherever they stand: they may be beside other members. */
function inlineTransforms(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(inlineTransforms);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [...(key === INLINE && isObject(member) ? [String(member["Name"])] : []), ...inlineTransforms(member)]);
}
