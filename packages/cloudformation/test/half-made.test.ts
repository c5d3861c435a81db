import type { SimAws } from "sandstack";
import type { SimStack } from "sandstack/cloudformation";
import { deploy, makeWorld, rejection, update } from "./setup.js";

const ACCOUNT = "888888888888";
const trust = (service = "lambda.amazonaws.com"): object => ({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: { Service: service } }] });
const allow = (Action: string | string[]): object => ({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action, Resource: "*" }] });
const onQueue = (Action: string): object => ({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action, Principal: { AWS: "123456789012" }, Resource: "*" }] });
const urlOf = (name: string): string => `https://sqs.us-east-1.amazonaws.com/${ACCOUNT}/${name}`;
const noPolicy = `arn:aws:iam::${ACCOUNT}:policy/none`;
const role = `arn:aws:iam::${ACCOUNT}:role/worker`;
const fn = { FunctionName: "fn", Code: { ZipFile: "exports.handler = async () => 1;" }, Handler: "index.handler", Runtime: "nodejs22.x", Role: role };

/** A world with what the resources below are attached to: one of each, and a second queue's own policy. */
async function makeFurnishedWorld(): Promise<SimAws> {
  const simAws = makeWorld();
  for (const QueueName of ["one", "two"]) await simAws.sqs().createQueue({ input: { QueueName } });
  await simAws.sqs().setQueueAttributes({ input: { QueueUrl: urlOf("two"), Attributes: { Policy: JSON.stringify(onQueue("sqs:PurgeQueue")) } } });
  await simAws.iam().createRole({ input: { RoleName: "worker", AssumeRolePolicyDocument: JSON.stringify(trust()) } });
  await simAws.iam().createUser({ input: { UserName: "ann" } });
  await simAws.iam().createUser({ input: { UserName: "bob" } });
  for (const GroupName of ["staff", "others"]) await simAws.iam().createGroup({ input: { GroupName } });
  await simAws.iam().putUserPolicy({ input: { UserName: "bob", PolicyName: "own", PolicyDocument: JSON.stringify(allow("sns:*")) } });
  return simAws;
}

/** What there is, as far as these resources have to do with it. */
async function inventory(simAws: SimAws): Promise<object> {
  const [iam, sqs, lambda] = [simAws.iam(), simAws.sqs(), simAws.lambda()];
  const found: Record<string, unknown> = {};
  for (const QueueUrl of (await sqs.listQueues({ input: {} })).QueueUrls ?? []) {
    const { LastModifiedTimestamp: _, ...attributes } = (await sqs.getQueueAttributes({ input: { QueueUrl, AttributeNames: ["All"] } })).Attributes ?? {};
    found[QueueUrl] = { ...attributes, tags: (await sqs.listQueueTags({ input: { QueueUrl } })).Tags };
  }
  for (const { RoleName, Arn = "" } of (await iam.listRoles({ input: {} })).Roles ?? []) {
    const { Role } = await iam.getRole({ input: { RoleName } });
    const names = (await iam.listRolePolicies({ input: { RoleName } })).PolicyNames ?? [];
    const inline = await Promise.all(names.map((PolicyName) => iam.getRolePolicy({ input: { RoleName, PolicyName } })));
    found[Arn] = { ...Role, inline: inline.map(({ PolicyName, PolicyDocument }) => [PolicyName, PolicyDocument]), attached: (await iam.listAttachedRolePolicies({ input: { RoleName } })).AttachedPolicies };
  }
  for (const { UserName, Arn = "" } of (await iam.listUsers({ input: {} })).Users ?? []) {
    const names = (await iam.listUserPolicies({ input: { UserName } })).PolicyNames ?? [];
    const inline = await Promise.all(names.map((PolicyName) => iam.getUserPolicy({ input: { UserName, PolicyName } })));
    const groups = (await iam.listGroupsForUser({ input: { UserName } })).Groups?.map(({ GroupName }) => GroupName);
    found[Arn] = { inline: inline.map(({ PolicyName, PolicyDocument }) => [PolicyName, PolicyDocument]), groups, keys: (await iam.listAccessKeys({ input: { UserName } })).AccessKeyMetadata };
  }
  for (const { GroupName, Arn = "" } of (await iam.listGroups({ input: {} })).Groups ?? []) found[Arn] = (await iam.listGroupPolicies({ input: { GroupName } })).PolicyNames;
  for (const { Arn: PolicyArn = "", DefaultVersionId: VersionId, AttachmentCount } of (await iam.listPolicies({ input: { Scope: "Local" } })).Policies ?? []) {
    found[PolicyArn] = { AttachmentCount, document: (await iam.getPolicyVersion({ input: { PolicyArn, VersionId } })).PolicyVersion?.Document };
  }
  for (const { FunctionName } of (await lambda.listFunctions({ input: {} })).Functions ?? []) {
    const { Configuration, Concurrency } = await lambda.getFunction({ input: { FunctionName } });
    found[`function ${FunctionName}`] = [Configuration?.Description, Configuration?.Timeout, Configuration?.CodeSha256, Concurrency];
  }
  return found;
}

interface HalfMade {
  readonly type: string;
  readonly properties: object;
  /** The actions that the deploying user may not do. */
  readonly denied?: string[];
  readonly error: string;
}

const failingCreations: HalfMade[] = [
  { type: "AWS::Lambda::Function", properties: { ...fn, ReservedConcurrentExecutions: -1 }, error: "ValidationException" },
  { type: "AWS::Lambda::Function", properties: fn, denied: ["lambda:GetFunctionConfiguration"], error: "AccessDeniedException" },
  { type: "AWS::SQS::QueuePolicy", properties: { Queues: [urlOf("one"), urlOf("none"), urlOf("two")], PolicyDocument: onQueue("sqs:SendMessage") }, error: "QueueDoesNotExist" },
  { type: "AWS::IAM::Role", properties: { AssumeRolePolicyDocument: trust(), Policies: [{ PolicyName: "p", PolicyDocument: allow("sqs:*") }], ManagedPolicyArns: [noPolicy] }, error: "NoSuchEntityException" },
  { type: "AWS::IAM::Role", properties: { AssumeRolePolicyDocument: trust() }, denied: ["iam:GetRole"], error: "AccessDenied" },
  { type: "AWS::IAM::User", properties: { Groups: ["staff", "none"] }, error: "NoSuchEntityException" },
  { type: "AWS::IAM::Group", properties: { ManagedPolicyArns: [noPolicy] }, error: "NoSuchEntityException" },
  { type: "AWS::IAM::ManagedPolicy", properties: { PolicyDocument: allow("sqs:*"), Roles: ["worker", "none"] }, error: "NoSuchEntityException" },
  { type: "AWS::IAM::ManagedPolicy", properties: { PolicyDocument: allow("sqs:*") }, denied: ["iam:GetPolicy"], error: "AccessDenied" },
  { type: "AWS::IAM::Policy", properties: { PolicyName: "own", PolicyDocument: allow("sqs:*"), Users: ["ann", "none", "bob"] }, error: "NoSuchEntityException" },
  { type: "AWS::IAM::UserToGroupAddition", properties: { GroupName: "staff", Users: ["ann", "none"] }, error: "NoSuchEntityException" },
  { type: "AWS::IAM::AccessKey", properties: { UserName: "ann", Status: "Inactive" }, denied: ["iam:UpdateAccessKey"], error: "AccessDenied" },
];

test.each(failingCreations)("a creation of $type that fails halfway with $error leaves nothing, and touches nobody else's", async ({ type, properties, denied = [], error }) => {
  const simAws = await makeFurnishedWorld();
  await simAws.iam().createUser({ input: { UserName: "deployer" } });
  const Statement = [{ Effect: "Allow", Action: "*", Resource: "*" }, ...(denied.length === 0 ? [] : [{ Effect: "Deny", Action: denied, Resource: "*" }])];
  await simAws.iam().putUserPolicy({ input: { UserName: "deployer", PolicyName: "p", PolicyDocument: JSON.stringify({ Version: "2012-10-17", Statement }) } });
  const before = await inventory(simAws);

  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "shop", template: { Resources: { It: { Type: type, Properties: properties } } }, caller: { kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:user/deployer` } });
  expect(await rejection(stack.waitForDeployComplete())).toMatchObject({ name: error, message: expect.stringMatching(/\(resource It of type [^)]*, stack shop\)$/) });
  expect(stack.status).toBe("ROLLBACK_COMPLETE");
  expect(await inventory(simAws)).toEqual(before);
});

test("what cannot be taken down either is told of, with what failed first", async () => {
  const simAws = await makeFurnishedWorld();
  await simAws.iam().putUserPolicy({ input: { UserName: "bob", PolicyName: "own", PolicyDocument: JSON.stringify(allow(["cloudformation:*", "iam:CreateRole", "iam:TagRole"])) } });
  const template = { Resources: { R: { Type: "AWS::IAM::Role", Properties: { RoleName: "left", AssumeRolePolicyDocument: trust() } } } };
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "shop", template, caller: { kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:user/bob` } });
  const error = await rejection(stack.waitForDeployComplete());
  expect(error).toMatchObject({ name: "AccessDenied", message: expect.stringMatching(/not authorized to perform: iam:GetRole .*What was made stays behind: .*not authorized to perform: iam:DeleteRole/) });
  expect((await simAws.iam().getRole({ input: { RoleName: "left" } })).Role?.RoleName).toBe("left");
});

interface HalfChanged {
  readonly type: string;
  readonly from: object;
  readonly to: object;
  readonly error: string;
}

const failingUpdates: HalfChanged[] = [
  { type: "AWS::SQS::Queue", from: { QueueName: "q", VisibilityTimeout: 20 }, to: { QueueName: "q", VisibilityTimeout: 21, DelaySeconds: 5, Tags: [{ Key: "k".repeat(129), Value: "" }] }, error: "InvalidParameterValue" },
  { type: "AWS::SQS::QueuePolicy", from: { Queues: [urlOf("one")], PolicyDocument: onQueue("sqs:SendMessage") }, to: { Queues: [urlOf("one"), urlOf("none")], PolicyDocument: onQueue("sqs:*") }, error: "QueueDoesNotExist" },
  { type: "AWS::Lambda::Function", from: { ...fn, Description: "a", Timeout: 5 }, to: { ...fn, Code: { ZipFile: "exports.handler = async () => 2;" }, Description: "b", ReservedConcurrentExecutions: -1 }, error: "ValidationException" },
  {
    type: "AWS::IAM::Role",
    from: { RoleName: "r", AssumeRolePolicyDocument: trust(), Description: "a", Policies: [{ PolicyName: "old", PolicyDocument: allow("sqs:*") }] },
    to: { RoleName: "r", AssumeRolePolicyDocument: trust("sqs.amazonaws.com"), Description: "b", MaxSessionDuration: 7200, PermissionsBoundary: "arn:aws:iam::aws:policy/ReadOnlyAccess", Policies: [{ PolicyName: "new", PolicyDocument: allow("*") }], ManagedPolicyArns: ["arn:aws:iam::aws:policy/AdministratorAccess", noPolicy] },
    error: "NoSuchEntityException",
  },
  { type: "AWS::IAM::User", from: { UserName: "u", Groups: ["staff"] }, to: { UserName: "u", Path: "/x/", Groups: ["others"], Policies: [{ PolicyName: "new", PolicyDocument: allow("*") }], ManagedPolicyArns: [noPolicy] }, error: "NoSuchEntityException" },
  { type: "AWS::IAM::Group", from: { GroupName: "g" }, to: { GroupName: "g", Path: "/x/", Policies: [{ PolicyName: "new", PolicyDocument: allow("*") }], ManagedPolicyArns: [noPolicy] }, error: "NoSuchEntityException" },
  { type: "AWS::IAM::ManagedPolicy", from: { ManagedPolicyName: "m", PolicyDocument: allow("sqs:*") }, to: { ManagedPolicyName: "m", PolicyDocument: allow("*"), Roles: ["worker"], Users: ["none"] }, error: "NoSuchEntityException" },
  { type: "AWS::IAM::Policy", from: { PolicyName: "p", PolicyDocument: allow("sqs:*"), Users: ["bob"] }, to: { PolicyName: "renamed", PolicyDocument: allow("*"), Users: ["ann", "none"] }, error: "NoSuchEntityException" },
  { type: "AWS::IAM::UserToGroupAddition", from: { GroupName: "staff", Users: ["bob"] }, to: { GroupName: "staff", Users: ["ann", "none"] }, error: "NoSuchEntityException" },
];

test.each(failingUpdates)("an update of $type that fails halfway is undone as a whole", async ({ type, from, to, error }) => {
  const simAws = await makeFurnishedWorld();
  const template = (Properties: object): object => ({ Resources: { It: { Type: type, Properties } } });
  const stack = await deploy(simAws, template(from));
  const before = await inventory(simAws);

  expect(await rejection(update(simAws, template(to)))).toMatchObject({ name: error });
  expect(stack.status).toBe("UPDATE_ROLLBACK_COMPLETE");
  expect(await inventory(simAws)).toEqual(before);
  expect(await rejection(update(simAws, template(from)))).toMatchObject({ message: "No updates are to be performed." });
  await simAws.cloudFormation().deleteStack({ stackName: "shop" });
  expect(stack.status).toBe("DELETE_COMPLETE");
});

describe.each(failingUpdates)("an update of $type that fails halfway and is not rolled back", ({ type, from, to }) => {
  const template = (Properties: object): object => ({ Resources: { It: { Type: type, Properties } } });

  async function leaveFailed(): Promise<{ simAws: SimAws; stack: SimStack; furnished: object; before: object }> {
    const simAws = await makeFurnishedWorld();
    const furnished = await inventory(simAws);
    const stack = await deploy(simAws, template(from));
    const before = await inventory(simAws);
    await simAws.cloudFormation().updateStack({ input: { StackName: "shop", TemplateBody: JSON.stringify(template(to)), DisableRollback: true, Capabilities: ["CAPABILITY_NAMED_IAM"] } });
    await simAws.backgroundTasksComplete();
    expect([stack.status, stack.getResource("It").status]).toEqual(["UPDATE_FAILED", "UPDATE_FAILED"]);
    return { simAws, stack, furnished, before };
  }

  test("can be taken back by another update", async () => {
    const { simAws, stack, before } = await leaveFailed();
    await update(simAws, template(from));
    expect([stack.status, stack.getResource("It").status]).toEqual(["UPDATE_COMPLETE", "UPDATE_COMPLETE"]);
    expect(await inventory(simAws)).toEqual(before);
  });

  test("leaves nothing when its stack is deleted", async () => {
    const { simAws, stack, furnished } = await leaveFailed();
    await simAws.cloudFormation().deleteStack({ stackName: "shop" });
    expect(stack.status).toBe("DELETE_COMPLETE");
    expect(await inventory(simAws)).toEqual(furnished);
  });
});
