import { cloudFormationError } from "../errors.js";
import type { Template } from "./template.js";

const IAM_TYPES = "AccessKey Group InstanceProfile ManagedPolicy Policy Role User UserToGroupAddition GroupPolicy RolePolicy UserPolicy ServiceLinkedRole".split(" ").map((name) => `AWS::IAM::${name}`);
const NAME_PROPERTIES: Readonly<Record<string, string>> = {
  "AWS::IAM::Group": "GroupName",
  "AWS::IAM::InstanceProfile": "InstanceProfileName",
  "AWS::IAM::ManagedPolicy": "ManagedPolicyName",
  "AWS::IAM::Role": "RoleName",
  "AWS::IAM::User": "UserName",
};

/** What a template may do only when the request says that it may, and why. */
export interface NeededCapabilities {
  readonly capabilities: readonly ("CAPABILITY_IAM" | "CAPABILITY_NAMED_IAM" | "CAPABILITY_AUTO_EXPAND")[];
  readonly reason?: string | undefined;
}

export function neededCapabilities(template: Template): NeededCapabilities {
  const resources = Object.values(template.resources).filter(({ type }) => IAM_TYPES.includes(type));
  const isNamed = resources.some(({ type, properties }) => properties[NAME_PROPERTIES[type] ?? ""] !== undefined);
  const iam = resources.length === 0 ? [] : [isNamed ? ("CAPABILITY_NAMED_IAM" as const) : ("CAPABILITY_IAM" as const)];
  const expand = template.transforms.length === 0 ? [] : ["CAPABILITY_AUTO_EXPAND" as const];
  const types = [...new Set(resources.map(({ type }) => type))];
  const reasons = [
    ...(types.length === 0 ? [] : [`The following resource(s) require capabilities: [${types.join(", ")}]`]),
    ...(expand.length === 0 ? [] : [`The following transform(s) require capabilities: [${template.transforms.join(", ")}]`]),
  ];
  return { capabilities: [...iam, ...expand], reason: reasons.length === 0 ? undefined : reasons.join(" ") };
}

/** @throws InsufficientCapabilitiesException (400) naming what is missing */
export function checkCapabilities(template: Template, granted: readonly string[]): void {
  const missing = neededCapabilities(template).capabilities.filter(
    // Who allows named IAM resources allows unnamed ones too.
    (capability) => !granted.includes(capability) && !(capability === "CAPABILITY_IAM" && granted.includes("CAPABILITY_NAMED_IAM")),
  );
  if (missing.length > 0) throw cloudFormationError("InsufficientCapabilitiesException", `Requires capabilities : [${missing.join(", ")}]`);
}
