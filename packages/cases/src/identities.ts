import type { CreateAccessKeyResponse, CreatePolicyResponse, CreateRoleResponse } from "@aws-sdk/client-iam";
import type { Caller, SimAws } from "sandstack";
import { administer } from "./administer.js";

/** What a user or role is made with; documents as objects. */
export interface Identity {
  readonly name: string;
  readonly policies: readonly object[];
  readonly boundary?: object | undefined;
}

/** Makes a user with an access key; answers the key as a caller. */
export async function makeUser(simAws: SimAws, { name, policies, boundary }: Identity): Promise<Caller> {
  const iam = <Output>(operation: string, input: object): Promise<Output> => administer<Output>(simAws, "iam", operation, input);
  await iam("CreateUser", { UserName: name, ...(await boundaryOf(simAws, name, boundary)) });
  for (const [index, policy] of policies.entries()) await iam("PutUserPolicy", { UserName: name, PolicyName: `policy-${index}`, PolicyDocument: JSON.stringify(policy) });
  const { AccessKey } = await iam<CreateAccessKeyResponse>("CreateAccessKey", { UserName: name });
  return { kind: "credentials", credentials: { accessKeyId: AccessKey?.AccessKeyId ?? "", secretAccessKey: AccessKey?.SecretAccessKey ?? "" } };
}

/** Makes a role; answers its ARN. */
export async function makeRole(simAws: SimAws, { name, policies, boundary, trust }: Identity & { readonly trust: object }): Promise<string> {
  const iam = <Output>(operation: string, input: object): Promise<Output> => administer<Output>(simAws, "iam", operation, input);
  const { Role } = await iam<CreateRoleResponse>("CreateRole", { RoleName: name, AssumeRolePolicyDocument: JSON.stringify(trust), ...(await boundaryOf(simAws, name, boundary)) });
  for (const [index, policy] of policies.entries()) await iam("PutRolePolicy", { RoleName: name, PolicyName: `policy-${index}`, PolicyDocument: JSON.stringify(policy) });
  return Role?.Arn ?? "";
}

/** A boundary is a managed policy: one is made of the document. */
async function boundaryOf(simAws: SimAws, name: string, boundary: object | undefined): Promise<{ PermissionsBoundary?: string | undefined }> {
  if (boundary === undefined) return {};
  const { Policy } = await administer<CreatePolicyResponse>(simAws, "iam", "CreatePolicy", { PolicyName: `${name}-boundary`, PolicyDocument: JSON.stringify(boundary) });
  return { PermissionsBoundary: Policy?.Arn };
}

/** Trust in somebody, with the version that policy variables need. */
export function trustIn(principal: Readonly<Record<string, string>>): object {
  return { Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: principal, Action: "sts:AssumeRole" }] };
}
