import { AttachRolePolicyCommand, CreateRoleCommand, CreateUserCommand, PutRolePolicyCommand, PutUserPolicyCommand } from "@aws-sdk/client-iam";
import { CreateQueueCommand, DeleteQueueCommand, GetQueueAttributesCommand, ListQueuesCommand, ReceiveMessageCommand, SendMessageBatchCommand, SendMessageCommand, SetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { SimAws, type CallOptions, type Caller } from "sandstack";

const ACCOUNT = "888888888888";
const OTHER = "111111111111";
const ORDERS = `arn:aws:sqs:us-east-1:${ACCOUNT}:orders`;
const ALICE = `arn:aws:iam::${ACCOUNT}:user/alice`;
const TOPIC = `arn:aws:sns:us-east-1:${ACCOUNT}:news`;
const alice: Caller = { kind: "arn", arn: ALICE };
const sns: Caller = { kind: "service", service: "sns.amazonaws.com" };

let simAws: SimAws;
let QueueUrl: string;

const document = (...Statement: object[]) => JSON.stringify({ Version: "2012-10-17", Statement });

beforeEach(async () => {
  simAws = new SimAws({ startTime: new Date("2026-03-01T10:00:00Z") });
  ({ QueueUrl = "" } = await simAws.sqs().createQueue(new CreateQueueCommand({ QueueName: "orders" })));
});

const setPolicy = (...statements: object[]) => simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: document(...statements) } }));
const createUser = async (...statements: object[]) => {
  await simAws.iam().createUser(new CreateUserCommand({ UserName: "alice", Tags: [{ Key: "team", Value: "red" }] }));
  await simAws.iam().putUserPolicy(new PutUserPolicyCommand({ UserName: "alice", PolicyName: "own", PolicyDocument: document(...statements) }));
};
const send = (caller?: Caller, more: CallOptions = {}) => simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "x" }), { caller, ...more });
const waiting = async () => {
  const { Attributes } = await simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["ApproximateNumberOfMessages"] }));
  return Number(Attributes?.ApproximateNumberOfMessages);
};

test("a refused call changes nothing, says AWS's words, and is in the log with the reason", async () => {
  await createUser({ Sid: "Others", Effect: "Allow", Action: "sqs:SendMessage", Resource: "arn:aws:sqs:*:*:invoices" });
  await expect(send(alice)).rejects.toMatchObject({
    name: "AccessDenied",
    Code: "AccessDenied",
    message: `User: ${ALICE} is not authorized to perform: sqs:sendmessage on resource: ${ORDERS} because no identity-based policy allows the sqs:sendmessage action`,
    $metadata: { httpStatusCode: 403 },
  });
  expect(await waiting()).toBe(0);
  const explanation = `Denied: no identity-based policy allows sqs:SendMessage on ${ORDERS} for ${ALICE}. Statement "Others" of the inline policy own allows sqs:SendMessage, but on arn:aws:sqs:*:*:invoices.`;
  const denied = simAws.log().filter({ kind: "call.denied" });
  expect([...denied]).toMatchObject([{ principal: ALICE, service: "sqs", operation: "SendMessage", action: "sqs:SendMessage", resource: ORDERS, decision: "ImplicitDeny", explanation }]);
  expect(String(denied)).toContain(explanation);
  expect([...simAws.log().filter({ principal: ALICE })]).toHaveLength(1);
});

test("a batch is authorized as its single form", async () => {
  await createUser({ Effect: "Allow", Action: "sqs:SendMessage", Resource: ORDERS });
  const { Successful } = await simAws.sqs().sendMessageBatch(new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: "a", MessageBody: "x" }] }), { caller: alice });
  expect(Successful).toHaveLength(1);
  await expect(simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl }), { caller: alice })).rejects.toMatchObject({ name: "AccessDenied" });
});

test("ListQueues is on *, CreateQueue on the ARN to be", async () => {
  await createUser({ Effect: "Allow", Action: ["sqs:ListQueues", "sqs:CreateQueue"], Resource: "arn:aws:sqs:*:*:*" });
  await expect(simAws.sqs().listQueues(new ListQueuesCommand({}), { caller: alice })).rejects.toMatchObject({ name: "AccessDenied" });
  await simAws.sqs().createQueue(new CreateQueueCommand({ QueueName: "mine" }), { caller: alice });
  await simAws.iam().putUserPolicy(new PutUserPolicyCommand({ UserName: "alice", PolicyName: "own", PolicyDocument: document({ Effect: "Allow", Action: "sqs:ListQueues", Resource: "*" }) }));
  expect((await simAws.sqs().listQueues(new ListQueuesCommand({}), { caller: alice })).QueueUrls).toHaveLength(2);
  await expect(simAws.sqs().createQueue(new CreateQueueCommand({ QueueName: "more" }), { caller: alice })).rejects.toMatchObject({ name: "AccessDenied" });
});

test("a queue that enforces TLS takes the sandbox's calls, which are secure", async () => {
  await setPolicy({ Effect: "Deny", Principal: { AWS: "*" }, Action: "sqs:*", Resource: ORDERS, Condition: { Bool: { "aws:SecureTransport": "false" } } });
  await send();
  const insecure = simAws.iam().authorize({
    action: "sqs:SendMessage",
    resource: ORDERS,
    resourcePolicies: [{ Statement: { Sid: "Tls", Effect: "Deny", Principal: "*", Action: "sqs:*", Resource: "*", Condition: { Bool: { "aws:SecureTransport": "false" } } } }],
    conditionContext: { "aws:SecureTransport": false },
  });
  expect(insecure).toMatchObject({ value: "ExplicitDeny", because: "with an explicit deny in a resource-based policy" });
  expect(insecure.explain()).toContain('statement "Tls" of the resource\'s policy (Bool aws:SecureTransport "false" holds, the request has "false") denies');
});

test("a queue's policy may refuse even the root, who can still take it off", async () => {
  await setPolicy({ Effect: "Deny", Principal: "*", Action: "sqs:SendMessage", Resource: ORDERS });
  await expect(send()).rejects.toMatchObject({ message: `User: arn:aws:iam::${ACCOUNT}:root is not authorized to perform: sqs:sendmessage on resource: ${ORDERS} with an explicit deny in a resource-based policy` });
  await simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: "" } }));
  await send();
});

test("a managed policy that denies is named by its ARN", async () => {
  await createUser({ Effect: "Allow", Action: "*", Resource: "*" });
  await simAws.iam().createRole(new CreateRoleCommand({ RoleName: "worker", AssumeRolePolicyDocument: document({ Effect: "Allow", Principal: "*", Action: "sts:AssumeRole" }) }));
  await simAws.iam().attachRolePolicy(new AttachRolePolicyCommand({ RoleName: "worker", PolicyArn: "arn:aws:iam::aws:policy/AWSDenyAll" }));
  await expect(send({ kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:role/worker` })).rejects.toMatchObject({
    message: expect.stringMatching(/assumed-role\/worker\/.* with an explicit deny in an identity-based policy: arn:aws:iam::aws:policy\/AWSDenyAll$/),
  });
});

describe("across accounts", () => {
  const bob: Caller = { kind: "arn", arn: `arn:aws:iam::${OTHER}:user/bob` };

  test("both sides must allow", async () => {
    const other = simAws.account(OTHER);
    await expect(send(bob)).rejects.toMatchObject({ name: "AccessDenied" });
    expect(String(simAws.log())).toContain(`The sandbox has no user arn:aws:iam::${OTHER}:user/bob in account ${OTHER}`);
    await other.iam().createUser(new CreateUserCommand({ UserName: "bob" }));
    await setPolicy({ Effect: "Allow", Principal: { AWS: OTHER }, Action: "sqs:*", Resource: ORDERS });
    await expect(send(bob)).rejects.toMatchObject({ message: expect.stringContaining("because no identity-based policy allows the sqs:sendmessage action") });
    await other.iam().putUserPolicy(new PutUserPolicyCommand({ UserName: "bob", PolicyName: "p", PolicyDocument: document({ Effect: "Allow", Action: "sqs:*", Resource: "*" }) }));
    await send(bob);
    // Whatever the policies say, SQS never opens this to other accounts.
    await expect(simAws.sqs().deleteQueue(new DeleteQueueCommand({ QueueUrl }), { caller: bob })).rejects.toMatchObject({ name: "AccessDenied" });
    await setPolicy({ Effect: "Allow", Principal: { AWS: "123456789012" }, Action: "sqs:*", Resource: ORDERS });
    await expect(send(bob)).rejects.toMatchObject({ message: expect.stringContaining("because no resource-based policy allows the sqs:sendmessage action") });
    expect(await waiting()).toBe(1);
  });

  test("another account's root needs the queue's policy alone", async () => {
    const root: Caller = { kind: "arn", arn: `arn:aws:iam::${OTHER}:root` };
    await expect(send(root)).rejects.toMatchObject({ name: "AccessDenied" });
    await setPolicy({ Effect: "Allow", Principal: { AWS: `arn:aws:iam::${OTHER}:root` }, Action: "sqs:SendMessage", Resource: ORDERS });
    await send(root);
  });
});

describe("services", () => {
  test("a service needs the queue's policy, and its conditions on whom it serves", async () => {
    const serves = { sourceArn: TOPIC, sourceAccount: ACCOUNT };
    await expect(send(sns, serves)).rejects.toMatchObject({ message: `User: sns.amazonaws.com is not authorized to perform: sqs:sendmessage on resource: ${ORDERS} because no resource-based policy allows the sqs:sendmessage action` });
    await setPolicy({
      Effect: "Allow",
      Principal: { Service: "sns.amazonaws.com" },
      Action: "sqs:SendMessage",
      Resource: ORDERS,
      Condition: { ArnEquals: { "aws:SourceArn": TOPIC }, StringEquals: { "aws:SourceAccount": ACCOUNT, "aws:PrincipalServiceName": "sns.amazonaws.com" }, Bool: { "aws:PrincipalIsAWSService": "true" } },
    });
    await send(sns, serves);
    await expect(send(sns, { ...serves, sourceArn: `${TOPIC}-old` })).rejects.toMatchObject({ name: "AccessDenied" });
    await expect(send(sns, { ...serves, sourceAccount: OTHER })).rejects.toMatchObject({ name: "AccessDenied" });
    await expect(send(sns)).rejects.toMatchObject({ name: "AccessDenied" });
    expect([...simAws.log().filter({ kind: "call.denied" })].map(({ explanation }) => explanation)).toEqual([
      `Denied: the resource has no policy; none allows sqs:SendMessage on ${ORDERS} for the service sns.amazonaws.com.`,
      expect.stringContaining(`but only when ArnEquals aws:SourceArn "${TOPIC}"; the request has "${TOPIC}-old".`),
      expect.stringContaining(`but only when StringEquals aws:SourceAccount "${ACCOUNT}"; the request has "${OTHER}".`),
      expect.stringContaining(`but only when ArnEquals aws:SourceArn "${TOPIC}"; the request has no aws:SourceArn.`),
    ]);
    expect(await waiting()).toBe(1);
  });

  test("the anonymous are everybody, and nobody else", async () => {
    await expect(send({ kind: "anonymous" })).rejects.toMatchObject({ name: "AccessDenied" });
    await setPolicy({ Effect: "Allow", Principal: "*", Action: "sqs:SendMessage", Resource: ORDERS });
    await send({ kind: "anonymous" });
    await setPolicy({ Effect: "Allow", Principal: "*", Action: "sqs:*", Resource: ORDERS });
    await expect(simAws.sqs().deleteQueue(new DeleteQueueCommand({ QueueUrl }), { caller: { kind: "anonymous" } })).rejects.toMatchObject({ name: "AccessDenied" });
  });
});

test.each([
  { key: "aws:PrincipalArn", value: ALICE },
  { key: "aws:PrincipalAccount", value: ACCOUNT },
  { key: "aws:PrincipalType", value: "User" },
  { key: "aws:username", value: "alice" },
  { key: "aws:PrincipalTag/team", value: "red" },
  { key: "aws:PrincipalTag/Team", value: "red" },
  { key: "aws:RequestedRegion", value: "us-east-1" },
  { key: "aws:ResourceAccount", value: ACCOUNT },
  { key: "aws:SourceIp", value: "127.0.0.1" },
  { key: "aws:SecureTransport", value: "true" },
  { key: "aws:PrincipalIsAWSService", value: "false" },
  { key: "aws:ViaAWSService", value: "false" },
  { key: "aws:CurrentTime", value: "2026-03-01T10:00:00.000Z" },
  { key: "aws:EpochTime", value: "1772359200" },
])("a user's request has $key, $value", async ({ key, value }) => {
  await createUser({ Effect: "Allow", Action: "sqs:SendMessage", Resource: "*", Condition: { StringEquals: { [key]: value } } });
  await send(alice);
  await simAws.iam().putUserPolicy(new PutUserPolicyCommand({ UserName: "alice", PolicyName: "own", PolicyDocument: document({ Effect: "Allow", Action: "sqs:SendMessage", Resource: "*", Condition: { StringNotEquals: { [key]: value } } }) }));
  await expect(send(alice)).rejects.toMatchObject({ name: "AccessDenied" });
});

test("a permission ends when the sandbox's clock says so", async () => {
  await createUser({ Effect: "Allow", Action: "sqs:SendMessage", Resource: "*", Condition: { DateLessThan: { "aws:CurrentTime": "2026-03-01T11:00:00Z" } } });
  await simAws.clock().advanceBy({ minutes: 59, seconds: 59 });
  await send(alice);
  await simAws.clock().advanceBy({ seconds: 1 });
  await expect(send(alice)).rejects.toMatchObject({ name: "AccessDenied" });
});

test("aws:PrincipalArn of a session is its role's", async () => {
  await simAws.iam().createRole(new CreateRoleCommand({ RoleName: "worker", Path: "/app/", AssumeRolePolicyDocument: document({ Effect: "Allow", Principal: "*", Action: "sts:AssumeRole" }) }));
  const roleArn = `arn:aws:iam::${ACCOUNT}:role/app/worker`;
  await simAws.iam().putRolePolicy(new PutRolePolicyCommand({ RoleName: "worker", PolicyName: "p", PolicyDocument: document({ Effect: "Allow", Action: "sqs:*", Resource: "*", Condition: { ArnEquals: { "aws:PrincipalArn": roleArn }, StringEquals: { "aws:PrincipalType": "AssumedRole" } } }) }));
  await send({ kind: "arn", arn: roleArn });
  await send({ kind: "arn", arn: `arn:aws:sts::${ACCOUNT}:assumed-role/worker/s1` });
});

test("asking IAM makes no call and leaves no record", async () => {
  await createUser({ Effect: "Allow", Action: "sqs:SendMessage", Resource: ORDERS });
  const before = [...simAws.log()].length;
  const decision = simAws.iam().authorize({ action: "sqs:SendMessage", resource: ORDERS, caller: alice });
  expect(decision).toMatchObject({ value: "Allow", isAllowed: true, isDenied: false, isExplicitDeny: false, isImplicitDeny: false, because: "" });
  expect(decision.matchingStatements.identity).toEqual([{ effect: "Allow", sid: undefined, index: 0, policyName: "own", policyArn: undefined }]);
  const denied = simAws.iam().authorize({ action: "sqs:SendMessage", resource: ORDERS, caller: alice, resourcePolicies: [document({ Effect: "Deny", Principal: { AWS: ALICE }, Action: "sqs:*", Resource: ORDERS })] });
  expect(denied).toMatchObject({ value: "ExplicitDeny", isExplicitDeny: true });
  expect(simAws.iam().authorize({ action: "sqs:SendMessage", resource: ORDERS }).value).toBe("Allow");
  // The resource's own account decides whose it is.
  expect(simAws.iam().authorize({ action: "sqs:SendMessage", resource: `arn:aws:sqs:us-east-1:${OTHER}:q`, caller: alice }).value).toBe("ImplicitDeny");
  expect([...simAws.log()]).toHaveLength(before);
});

test("a world that enforces nothing denies nothing, and still answers", async () => {
  simAws = new SimAws({ iam: "off" });
  ({ QueueUrl = "" } = await simAws.sqs().createQueue(new CreateQueueCommand({ QueueName: "orders" })));
  await send(alice);
  expect(simAws.iam().authorize({ action: "sqs:SendMessage", resource: ORDERS, caller: alice }).value).toBe("ImplicitDeny");
});
