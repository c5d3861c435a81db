import { CreateRoleCommand, CreateUserCommand, PutRolePolicyCommand, PutUserPolicyCommand } from "@aws-sdk/client-iam";
import { AddPermissionCommand, CreateFunctionCommand } from "@aws-sdk/client-lambda";
import { CreateQueueCommand, SendMessageCommand, SetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { SimAws, type Caller } from "sandstack";
import { makeLambdaZipFileInput } from "sandstack/lambda";
import { evaluatePolicies } from "sandstack/iam";

/*
 * Questions to IAM without a call: what they take for the resource's policies, and what explain() says to one who wonders.
 */

const ACCOUNT = "888888888888";
const OTHER = "111111111111";
const ORDERS = `arn:aws:sqs:us-east-1:${ACCOUNT}:orders`;
const TOPIC = `arn:aws:sns:us-east-1:${ACCOUNT}:events`;
const ALICE = `arn:aws:iam::${ACCOUNT}:user/alice`;
const alice: Caller = { kind: "arn", arn: ALICE };
const sns: Caller = { kind: "service", service: "sns.amazonaws.com" };

let simAws: SimAws;
let QueueUrl: string;
beforeEach(async () => {
  simAws = new SimAws();
  ({ QueueUrl = "" } = await simAws.sqs().createQueue(new CreateQueueCommand({ QueueName: "orders" })));
  await simAws.iam().createUser(new CreateUserCommand({ UserName: "alice" }));
});

const document = (...Statement: object[]) => JSON.stringify({ Version: "2012-10-17", Statement });
const setPolicy = (...statements: object[]) => simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: document(...statements) } }));
const allowAlice = (Action: string | string[], Resource = "*") =>
  simAws.iam().putUserPolicy(new PutUserPolicyCommand({ UserName: "alice", PolicyName: "own", PolicyDocument: document({ Effect: "Allow", Action, Resource }) }));
const ask = (input: Partial<Parameters<ReturnType<SimAws["iam"]>["authorize"]>[0]>) => simAws.iam().authorize({ action: "sqs:SendMessage", resource: ORDERS, ...input });

describe("the resource's own policy has its say", () => {
  test("a queue's, as in the call itself", async () => {
    await setPolicy(
      { Sid: "Tls", Effect: "Deny", Principal: "*", Action: "sqs:*", Resource: ORDERS, Condition: { Bool: { "aws:SecureTransport": "false" } } },
      { Sid: "Topic", Effect: "Allow", Principal: { Service: "sns.amazonaws.com" }, Action: "sqs:SendMessage", Resource: ORDERS, Condition: { ArnEquals: { "aws:SourceArn": TOPIC } } },
    );
    expect(ask({ conditionContext: { "aws:SecureTransport": false } })).toMatchObject({ value: "ExplicitDeny" });
    expect(ask({ conditionContext: { "aws:SecureTransport": false } }).explain()).toContain(`statement "Tls" of the resource's policy`);
    expect(ask({})).toMatchObject({ value: "Allow" });
    expect(ask({ caller: sns, conditionContext: { "aws:SourceArn": TOPIC } })).toMatchObject({ value: "Allow" });
    const denied = ask({ caller: sns });
    expect(denied).toMatchObject({ value: "ImplicitDeny" });
    expect(denied.explain()).toBe(
      `Denied: no resource-based policy allows sqs:SendMessage on ${ORDERS} for the service sns.amazonaws.com. The resource's own policy was looked at. ` +
        `Statement "Topic" of the resource's policy allows sqs:SendMessage, but only when ArnEquals aws:SourceArn "${TOPIC}"; the request has no aws:SourceArn.`,
    );
    // A policy given is taken in its place.
    expect(ask({ conditionContext: { "aws:SecureTransport": false }, resourcePolicies: [] })).toMatchObject({ value: "Allow" });
    expect(ask({ caller: sns, conditionContext: { "aws:SourceArn": TOPIC }, resourcePolicies: [] }).explain()).toMatch(/In place of the resource's own policies those given with the question were looked at\.$/);
  });

  test("of another account and region", async () => {
    const far = simAws.account(OTHER).region("eu-west-1");
    const { QueueUrl: url } = await far.sqs().createQueue(new CreateQueueCommand({ QueueName: "orders" }));
    const arn = `arn:aws:sqs:eu-west-1:${OTHER}:orders`;
    await allowAlice("sqs:*");
    expect(ask({ resource: arn, caller: alice })).toMatchObject({ value: "ImplicitDeny" });
    await far.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: { Policy: document({ Effect: "Allow", Principal: { AWS: ACCOUNT }, Action: "sqs:SendMessage", Resource: arn }) } }));
    expect(ask({ resource: arn, caller: alice })).toMatchObject({ value: "Allow" });
    // Whatever its policy says, AWS opens this to no other account.
    const never = ask({ resource: arn, caller: alice, action: "sqs:DeleteQueue" });
    expect(never).toMatchObject({ value: "ImplicitDeny" });
    expect(never.explain()).toContain("sqs:DeleteQueue is never open to other accounts");
  });

  test("a function's permissions, and a role's trust policy for STS", async () => {
    const trust = document({ Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" });
    await simAws.iam().createRole(new CreateRoleCommand({ RoleName: "worker", Path: "/app/", AssumeRolePolicyDocument: trust }));
    const Role = `arn:aws:iam::${ACCOUNT}:role/app/worker`;
    await simAws.lambda().createFunction(new CreateFunctionCommand({ FunctionName: "fn", Role, Runtime: "nodejs22.x", Handler: "index.handler", Code: { ZipFile: makeLambdaZipFileInput(() => {}) } }));
    const invoke = { action: "lambda:InvokeFunction", resource: `arn:aws:lambda:us-east-1:${ACCOUNT}:function:fn`, caller: sns };
    expect(ask(invoke).explain()).toBe(`Denied: no resource-based policy allows lambda:InvokeFunction on ${invoke.resource} for the service sns.amazonaws.com. The resource has no policy.`);
    await simAws.lambda().addPermission(new AddPermissionCommand({ FunctionName: "fn", StatementId: "sns", Action: "lambda:InvokeFunction", Principal: "sns.amazonaws.com" }));
    expect(ask(invoke)).toMatchObject({ value: "Allow" });

    const assume = { action: "sts:AssumeRole", resource: Role };
    expect(ask({ ...assume, caller: { kind: "service", service: "lambda.amazonaws.com" } })).toMatchObject({ value: "Allow" });
    expect(ask({ ...assume, caller: sns })).toMatchObject({ value: "ImplicitDeny" });
    expect(ask({ ...assume, caller: sns, resourcePolicies: [document({ Effect: "Allow", Principal: "*", Action: "sts:AssumeRole" })] })).toMatchObject({ value: "Allow" });
    // The trust policy is STS's: IAM's own actions on the role ask the identity alone.
    expect(ask({ action: "iam:GetRole", resource: Role, caller: alice }).explain()).not.toContain("trust");
  });

  test.each([
    { name: "a queue there is not", resource: `${ORDERS}-old`, says: `The sandbox has no ${ORDERS}-old, so there was no policy of it to look at.` },
    { name: "a service there is not", resource: "arn:aws:dynamodb:us-east-1:888888888888:table/orders", says: "Policies on the resource were not looked at, since the sandbox does not know any of its kind: give them as resourcePolicies." },
  ])("or the answer says that there was none to look at: $name", ({ resource, says }) => {
    expect(ask({ resource, caller: alice }).explain()).toContain(says);
  });
});

describe("explain() says", () => {
  test("that the role or user does not exist", () => {
    const nobody = `arn:aws:iam::${ACCOUNT}:role/nobody`;
    expect(ask({ caller: { kind: "arn", arn: nobody } }).explain()).toContain(`The sandbox has no role ${nobody} in account ${ACCOUNT}, so no policy of its own allows anything.`);
  });

  test.each([
    { action: "sqs:SendMesage", says: "AWS has no action sqs:SendMesage; sqs:SendMessage may be meant." },
    { action: "sqs:PostLetter", says: "AWS has no action sqs:PostLetter." },
    { action: "SendMessage", says: "SendMessage has no service before it, as actions have: sqs:SendMessage." },
    { action: "AddPermission", says: "AddPermission has no service before it, as actions have: sqs:AddPermission." },
    { action: "sqs:*", says: "sqs:* is a pattern; a question is about one action, such as sqs:SendMessage." },
  ])("that the question names no action of AWS's: $action", ({ action, says }) => {
    const decision = ask({ action, caller: alice });
    expect(decision.value).toBe("ImplicitDeny");
    expect(decision.explain()).toContain(says);
  });

  test.each(["sqs:sendmessage", "SQS:SendMessage", "dynamodb:PutItem", "newservice:DoThings"])("nothing of the kind about %s", (action) => {
    expect(ask({ action, caller: alice }).explain()).not.toMatch(/no action|no service|may be meant/);
  });

  test("which statement of a policy has a misspelt action", async () => {
    await allowAlice(["sqs:SendMesage", "sqs:ReceiveMessage"]);
    const says = `Statement 0 of the inline policy own allows sqs:SendMesage, which is no action of AWS's; sqs:SendMessage may be meant.`;
    expect(ask({ caller: alice }).explain()).toContain(says);
    await expect(simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "m" }), { caller: alice })).rejects.toMatchObject({ name: "AccessDenied" });
    expect(simAws.log().filter({ kind: "call.denied" }).records.at(-1)?.explanation).toContain(says);
    // Of another action's refusal it is not the reason.
    expect(ask({ action: "sqs:PurgeQueue", caller: alice }).explain()).not.toContain("may be meant");
  });

  test("all sides that are missing across accounts, at once", async () => {
    const resource = `arn:aws:sqs:us-east-1:${OTHER}:orders`;
    await simAws.account(OTHER).sqs().createQueue(new CreateQueueCommand({ QueueName: "orders" }));
    const both =
      `Denied: no identity-based policy is attached; none allows sqs:SendMessage on ${resource} for ${ALICE}. ` +
      `Nor does a policy on the resource, of account ${OTHER}: across accounts both sides must allow. The resource has no policy.`;
    expect(ask({ resource, caller: alice }).explain()).toBe(both);
    await allowAlice("sqs:*");
    expect(ask({ resource, caller: alice }).explain()).toBe(`Denied: across accounts both sides must allow, and no resource-based policy of account ${OTHER} allows sqs:SendMessage on ${resource} for ${ALICE}. The resource has no policy.`);
  });

  test("all limits that are missing, and what came near on each side", () => {
    const decision = evaluatePolicies({
      principal: { type: "session", arn: `arn:aws:sts::${ACCOUNT}:assumed-role/worker/s`, account: ACCOUNT, roleArn: `arn:aws:iam::${ACCOUNT}:role/worker` },
      identityPolicies: [document({ Effect: "Allow", Action: "sqs:*", Resource: `${ORDERS}-old` })],
      boundary: document({ Effect: "Allow", Action: "sns:*", Resource: "*" }),
      sessionPolicies: [document({ Effect: "Allow", Action: "s3:*", Resource: "*" })],
      resourcePolicy: document({ Effect: "Allow", Principal: { AWS: ACCOUNT }, Action: "sqs:ReceiveMessage", Resource: "*" }),
      resourceAccount: OTHER,
      action: "sqs:SendMessage",
      resource: ORDERS,
    });
    expect(decision).toMatchObject({ value: "ImplicitDeny", because: "because no identity-based policy allows the sqs:SendMessage action" });
    expect(decision.explain()).toBe(
      `Denied: no identity-based policy allows sqs:SendMessage on ${ORDERS} for arn:aws:sts::${ACCOUNT}:assumed-role/worker/s. Nor does the permissions boundary, which limits it. ` +
        `Nor do the session's own policies, which limit it. Nor does a policy on the resource, of account ${OTHER}: across accounts both sides must allow. ` +
        `Statement 0 of the identity policy allows sqs:SendMessage, but on ${ORDERS}-old.`,
    );
  });
});

test.each([
  { name: "a member there is not", input: { action: "sqs:SendMessage", resource: ORDERS, principal: alice }, message: "iam().authorize() has no option principal. The options there are: action, resource, caller, resourcePolicies, conditionContext." },
  { name: "no action", input: { resource: ORDERS }, message: `action is an action such as "sqs:SendMessage"; it was given as undefined.` },
  { name: "no resource", input: { action: "sqs:SendMessage" }, message: `resource is an ARN, or "*" for an action without a resource; it was given as undefined.` },
  { name: "one policy in place of a list", input: { action: "sqs:SendMessage", resource: ORDERS, resourcePolicies: "{}" }, message: "resourcePolicies is a list of policies; it was given as '{}'." },
])("a question is refused that asks nothing: $name", ({ input, message }) => {
  expect(() => simAws.iam().authorize(input as never)).toThrow(expect.objectContaining({ name: "SimInvalidOption", message })); // what a user without types may write
});

test("a role's own question takes the role's policies", async () => {
  await simAws.iam().createRole(new CreateRoleCommand({ RoleName: "worker", AssumeRolePolicyDocument: document({ Effect: "Allow", Principal: "*", Action: "sts:AssumeRole" }) }));
  await simAws.iam().putRolePolicy(new PutRolePolicyCommand({ RoleName: "worker", PolicyName: "own", PolicyDocument: document({ Effect: "Allow", Action: "sqs:SendMessage", Resource: ORDERS }) }));
  const caller: Caller = { kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:role/worker` };
  expect(ask({ caller })).toMatchObject({ value: "Allow" });
  expect(simAws.runAs(caller, () => ask({}))).toMatchObject({ value: "Allow" });
});
