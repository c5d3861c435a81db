import {
  GetGroupCommand,
  GetPolicyVersionCommand,
  GetRoleCommand,
  GetRolePolicyCommand,
  GetUserCommand,
  ListAccessKeysCommand,
  ListAttachedRolePoliciesCommand,
  ListAttachedUserPoliciesCommand,
  ListGroupsForUserCommand,
  ListPoliciesCommand,
  ListPolicyVersionsCommand,
  ListRolePoliciesCommand,
  ListRolesCommand,
  ListUserPoliciesCommand,
  ListUsersCommand,
  PutRolePolicyCommand,
} from "@aws-sdk/client-iam";
import { GetCallerIdentityCommand } from "@aws-sdk/client-sts";
import { SimAws } from "sandstack";

const BASIC = "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole";
const SQS = "arn:aws:iam::aws:policy/service-role/AWSLambdaSQSQueueExecutionRole";
const trust = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" }] };
const allow = (Action: string) => ({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action, Resource: "*" }] });

let simAws: SimAws;
beforeEach(() => {
  simAws = new SimAws();
});

const iam = () => simAws.iam();

async function deploy(Resources: object, Outputs?: object) {
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "app", template: { Resources, ...(Outputs && { Outputs }) } });
  await stack.waitForDeployComplete();
  return stack;
}

async function update(Resources: object) {
  const stack = await simAws.cloudFormation().updateTemplate({ stackName: "app", template: { Resources } });
  await stack.waitForDeployComplete();
  return stack;
}

async function deleteStack() {
  await simAws.cloudFormation().deleteStack({ input: { StackName: "app" } });
  await simAws.backgroundTasksComplete();
}

const roleNames = async () => (await iam().listRoles(new ListRolesCommand({}))).Roles?.map(({ RoleName }) => RoleName);

test("a role is made with all it says, changed in place and deleted with what it was given", async () => {
  const role = (Properties: object) => ({ Role: { Type: "AWS::IAM::Role", Properties: { AssumeRolePolicyDocument: trust, ...Properties } } });
  const stack = await deploy(
    role({
      Path: "/app/",
      Description: "works",
      MaxSessionDuration: 7200,
      ManagedPolicyArns: [BASIC],
      PermissionsBoundary: "arn:aws:iam::aws:policy/AdministratorAccess",
      Policies: [{ PolicyName: "send", PolicyDocument: allow("sqs:SendMessage") }],
      Tags: [{ Key: "team", Value: "a" }],
    }),
    { Name: { Value: { Ref: "Role" } }, Arn: { Value: { "Fn::GetAtt": ["Role", "Arn"] } }, Id: { Value: { "Fn::GetAtt": ["Role", "RoleId"] } } },
  );
  const RoleName = stack.output("Name");
  expect(RoleName).toMatch(/^app-Role-\w{12}$/);
  expect(stack.ignoredProperties).toEqual([]);
  const { Role } = await iam().getRole(new GetRoleCommand({ RoleName }));
  expect(Role).toMatchObject({ Arn: stack.output("Arn"), RoleId: stack.output("Id"), Path: "/app/", Description: "works", MaxSessionDuration: 7200 });
  expect(Role?.PermissionsBoundary?.PermissionsBoundaryArn).toBe("arn:aws:iam::aws:policy/AdministratorAccess");
  expect(Role?.Tags).toEqual(expect.arrayContaining([{ Key: "team", Value: "a" }, { Key: "aws:cloudformation:stack-name", Value: "app" }]));
  expect((await iam().listAttachedRolePolicies(new ListAttachedRolePoliciesCommand({ RoleName }))).AttachedPolicies?.map(({ PolicyArn }) => PolicyArn)).toEqual([BASIC]);

  await update(role({ Path: "/app/", ManagedPolicyArns: [SQS], Policies: [{ PolicyName: "receive", PolicyDocument: allow("sqs:ReceiveMessage") }] }));
  const { Role: changed } = await iam().getRole(new GetRoleCommand({ RoleName }));
  expect(changed).toMatchObject({ RoleId: Role?.RoleId, MaxSessionDuration: 3600 });
  expect(changed).not.toHaveProperty("Description");
  expect(changed).not.toHaveProperty("PermissionsBoundary");
  expect(changed?.Tags).not.toContainEqual({ Key: "team", Value: "a" });
  expect((await iam().listAttachedRolePolicies(new ListAttachedRolePoliciesCommand({ RoleName }))).AttachedPolicies?.map(({ PolicyArn }) => PolicyArn)).toEqual([SQS]);
  expect((await iam().listRolePolicies(new ListRolePoliciesCommand({ RoleName }))).PolicyNames).toEqual(["receive"]);

  await update(role({ Path: "/other/", RoleName: "named" }));
  expect(await roleNames()).toEqual(["named"]);
  await deleteStack();
  expect(await roleNames()).toEqual([]);
});

test("what others gave a role keeps it from being deleted", async () => {
  const stack = await deploy({ Role: { Type: "AWS::IAM::Role", Properties: { RoleName: "worker", AssumeRolePolicyDocument: trust } } });
  await iam().putRolePolicy(new PutRolePolicyCommand({ RoleName: "worker", PolicyName: "more", PolicyDocument: JSON.stringify(allow("sqs:*")) }));
  await deleteStack();
  expect(stack.status).toBe("DELETE_FAILED");
  expect(JSON.stringify(stack.events)).toContain("Cannot delete entity, must delete policies first.");
});

test("a role that cannot be made whole leaves nothing behind", async () => {
  const made = deploy({ Role: { Type: "AWS::IAM::Role", Properties: { AssumeRolePolicyDocument: trust, Policies: [{ PolicyName: "bad", PolicyDocument: { Version: "2012-10-17", Statement: [{ Effect: "Allow", Resource: "*" }] } }] } } });
  await expect(made).rejects.toThrow("Policy statement must contain actions.");
  expect(await roleNames()).toEqual([]);
});

test("a policy goes into all its holders, and out of those it leaves", async () => {
  const holder = { Type: "AWS::IAM::Role", Properties: { AssumeRolePolicyDocument: trust } };
  const template = (Properties: object) => ({
    A: { ...holder, Properties: { ...holder.Properties, RoleName: "a" } },
    B: { ...holder, Properties: { ...holder.Properties, RoleName: "b" } },
    U: { Type: "AWS::IAM::User", Properties: { UserName: "u" } },
    Policy: { Type: "AWS::IAM::Policy", Properties: { PolicyName: "p", PolicyDocument: allow("sqs:SendMessage"), ...Properties } },
  });
  const stack = await deploy(template({ Roles: [{ Ref: "A" }, { Ref: "B" }], Users: [{ Ref: "U" }] }));
  expect(stack.getResource("Policy")?.attributes).toEqual({ Id: stack.getResource("Policy")?.physicalId });
  const policiesOf = async (RoleName: string) => (await iam().listRolePolicies(new ListRolePoliciesCommand({ RoleName }))).PolicyNames;
  expect([await policiesOf("a"), await policiesOf("b"), (await iam().listUserPolicies(new ListUserPoliciesCommand({ UserName: "u" }))).PolicyNames]).toEqual([["p"], ["p"], ["p"]]);

  await update(template({ Roles: [{ Ref: "B" }], PolicyDocument: allow("sqs:ReceiveMessage") }));
  expect([await policiesOf("a"), await policiesOf("b"), (await iam().listUserPolicies(new ListUserPoliciesCommand({ UserName: "u" }))).PolicyNames]).toEqual([[], ["p"], []]);
  const { PolicyDocument } = await iam().getRolePolicy(new GetRolePolicyCommand({ RoleName: "b", PolicyName: "p" }));
  expect(JSON.parse(decodeURIComponent(PolicyDocument ?? ""))).toEqual(allow("sqs:ReceiveMessage"));

  await update(template({ Roles: [{ Ref: "B" }], PolicyName: "q" }));
  expect(await policiesOf("b")).toEqual(["q"]);
  await deleteStack();
  expect(await roleNames()).toEqual([]);
});

test("a policy without a holder fails the deployment", async () => {
  await expect(deploy({ Policy: { Type: "AWS::IAM::Policy", Properties: { PolicyName: "p", PolicyDocument: allow("sqs:*") } } })).rejects.toThrow("At least one of [Groups,Roles,Users] must be non-empty.");
});

test("a managed policy's new document is a new version, in force; the oldest makes room", async () => {
  const template = (action: string, more: object = {}) => ({
    User: { Type: "AWS::IAM::User", Properties: { UserName: "u" } },
    Policy: { Type: "AWS::IAM::ManagedPolicy", Properties: { Description: "d", Path: "/app/", PolicyDocument: allow(action), Users: [{ Ref: "User" }], ...more } },
  });
  const stack = await deploy(template("sqs:Send0"), { Arn: { Value: { Ref: "Policy" } } });
  const PolicyArn = stack.output("Arn");
  expect(PolicyArn).toMatch(/^arn:aws:iam::888888888888:policy\/app\/app-Policy-\w{12}$/);
  expect((await iam().listAttachedUserPolicies(new ListAttachedUserPoliciesCommand({ UserName: "u" }))).AttachedPolicies).toHaveLength(1);
  for (let change = 1; change <= 6; change++) await update(template(`sqs:Send${change}`));
  const { Versions } = await iam().listPolicyVersions(new ListPolicyVersionsCommand({ PolicyArn }));
  expect(Versions?.map(({ VersionId, IsDefaultVersion }) => [VersionId, IsDefaultVersion])).toEqual([["v7", true], ["v6", false], ["v5", false], ["v4", false], ["v3", false]]);
  const { PolicyVersion } = await iam().getPolicyVersion(new GetPolicyVersionCommand({ PolicyArn, VersionId: "v7" }));
  expect(JSON.parse(decodeURIComponent(PolicyVersion?.Document ?? ""))).toEqual(allow("sqs:Send6"));
  await update(template("sqs:Send6", { Users: [] }));
  expect((await iam().listAttachedUserPolicies(new ListAttachedUserPoliciesCommand({ UserName: "u" }))).AttachedPolicies).toEqual([]);
  await deleteStack();
  expect((await iam().listPolicies(new ListPoliciesCommand({ Scope: "Local" }))).Policies).toEqual([]);
});

test("users, groups and keys", async () => {
  const template = (user: object = {}, key: object = {}) => ({
    Group: { Type: "AWS::IAM::Group", Properties: { Path: "/g/", ManagedPolicyArns: ["arn:aws:iam::aws:policy/AmazonSQSFullAccess"], Policies: [{ PolicyName: "p", PolicyDocument: allow("sns:*") }] } },
    User: { Type: "AWS::IAM::User", Properties: { Groups: [{ Ref: "Group" }], Policies: [{ PolicyName: "p", PolicyDocument: allow("sqs:*") }], Tags: [{ Key: "team", Value: "a" }], LoginProfile: { Password: "secret" }, ...user } },
    Other: { Type: "AWS::IAM::User" },
    Members: { Type: "AWS::IAM::UserToGroupAddition", Properties: { GroupName: { Ref: "Group" }, Users: [{ Ref: "Other" }] } },
    Key: { Type: "AWS::IAM::AccessKey", Properties: { UserName: { Ref: "User" }, ...key } },
  });
  const stack = await deploy(template(), {
    Group: { Value: { Ref: "Group" } },
    User: { Value: { Ref: "User" } },
    UserArn: { Value: { "Fn::GetAtt": ["User", "Arn"] } },
    KeyId: { Value: { Ref: "Key" } },
    Secret: { Value: { "Fn::GetAtt": ["Key", "SecretAccessKey"] } },
  });
  expect(stack.ignoredProperties).toMatchObject([{ logicalId: "User", path: "LoginProfile", reason: "The sandbox has no console to sign in to." }]);
  const [GroupName, UserName] = [stack.output("Group"), stack.output("User")];
  expect((await iam().getGroup(new GetGroupCommand({ GroupName }))).Users).toHaveLength(2);
  const caller = { kind: "credentials", credentials: { accessKeyId: stack.output("KeyId"), secretAccessKey: stack.output("Secret") } } as const;
  expect((await simAws.sts().getCallerIdentity(new GetCallerIdentityCommand({}), { caller })).Arn).toBe(stack.output("UserArn"));

  await update(template({ Path: "/u/", Groups: [], Policies: [], ManagedPolicyArns: [BASIC] }, { Status: "Inactive" }));
  expect((await iam().getUser(new GetUserCommand({ UserName }))).User).toMatchObject({ Path: "/u/", Arn: `arn:aws:iam::888888888888:user/u/${UserName}` });
  expect((await iam().listGroupsForUser(new ListGroupsForUserCommand({ UserName }))).Groups).toEqual([]);
  expect((await iam().listUserPolicies(new ListUserPoliciesCommand({ UserName }))).PolicyNames).toEqual([]);
  expect((await iam().listAccessKeys(new ListAccessKeysCommand({ UserName }))).AccessKeyMetadata?.map(({ Status }) => Status)).toEqual(["Inactive"]);
  await deleteStack();
  expect((await iam().listUsers(new ListUsersCommand({}))).Users).toEqual([]);
});
