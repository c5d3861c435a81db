import {
  ChangeMessageVisibilityBatchCommand,
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
  TagQueueCommand,
} from "@aws-sdk/client-sqs";
import { CreateRoleCommand, CreateUserCommand, PutRolePolicyCommand, PutUserPolicyCommand } from "@aws-sdk/client-iam";
import { SimAws, type Caller } from "sandstack";
import { ACCOUNT, arnOf, counts, createQueue, receiveOne, refusalOf } from "./setup.js";

const OTHER = "210987654321";

let simAws: SimAws;
let QueueUrl: string;
beforeEach(async () => {
  simAws = new SimAws();
  QueueUrl = await createQueue(simAws, "q");
});

const allow = (Action: string | string[], Resource = "*", more: object = {}): object => ({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action, Resource, ...more }] });

/** A user who may do this and nothing else. */
async function user(UserName: string, policy?: object, account = ACCOUNT): Promise<Caller> {
  const iam = simAws.account(account).iam();
  const { User } = await iam.createUser(new CreateUserCommand({ UserName }));
  if (policy !== undefined) await iam.putUserPolicy(new PutUserPolicyCommand({ UserName, PolicyName: "p", PolicyDocument: JSON.stringify(policy) }));
  return { kind: "arn", arn: User!.Arn! };
}

const setPolicy = (policy: object): Promise<unknown> => simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: JSON.stringify(policy) } }));
const sendAs = (caller: Caller): Promise<unknown> => simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "m" }), { caller });

test("a caller without permission is refused in SQS's words, and nothing happens", async () => {
  const caller = await user("nobody");
  const call = sendAs(caller);
  await expect(call).rejects.toMatchObject({ Code: "AccessDenied", __type: "com.amazon.coral.service#AccessDeniedException" });
  // A client names it by its query code, as AWS's SDKs do.
  const client = new SQSClient(simAws.sdkConfig({ caller }));
  expect(await refusalOf(client.send(new SendMessageCommand({ QueueUrl, MessageBody: "m" })))).toEqual(await refusalOf(call));
  expect(await refusalOf(call)).toEqual({
    name: "AccessDenied",
    message: `User: arn:aws:iam::${ACCOUNT}:user/nobody is not authorized to perform: sqs:sendmessage on resource: ${arnOf("q")} because no identity-based policy allows the sqs:sendmessage action`,
    status: 403,
  });
  expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
});

test("batches are authorized as the single action", async () => {
  const caller = await user("worker", allow(["sqs:SendMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility"], arnOf("q")));
  const Entries = [{ Id: "1", MessageBody: "m", ReceiptHandle: "garbage", VisibilityTimeout: 1 }];
  const sqs = simAws.sqs();
  expect((await sqs.sendMessageBatch(new SendMessageBatchCommand({ QueueUrl, Entries }), { caller })).Successful).toHaveLength(1);
  expect((await sqs.deleteMessageBatch(new DeleteMessageBatchCommand({ QueueUrl, Entries }), { caller })).Failed).toHaveLength(1);
  expect((await sqs.changeMessageVisibilityBatch(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }), { caller })).Failed).toHaveLength(1);
  expect(await refusalOf(sqs.receiveMessage(new ReceiveMessageCommand({ QueueUrl }), { caller }))).toMatchObject({ name: "AccessDenied" });
});

test("ListQueues is on every resource, CreateQueue on the queue to be, with tags also TagQueue", async () => {
  const narrow = await user("narrow", allow(["sqs:ListQueues", "sqs:CreateQueue"], `arn:aws:sqs:*:*:mine`));
  const sqs = simAws.sqs();
  expect(await refusalOf(sqs.listQueues(new ListQueuesCommand({}), { caller: narrow }))).toMatchObject({ name: "AccessDenied" });
  await sqs.createQueue(new CreateQueueCommand({ QueueName: "mine" }), { caller: narrow });
  expect(await refusalOf(sqs.createQueue(new CreateQueueCommand({ QueueName: "other" }), { caller: narrow }))).toMatchObject({ name: "AccessDenied" });
  const tagging = sqs.createQueue(new CreateQueueCommand({ QueueName: "mine", tags: { a: "b" } }), { caller: narrow });
  expect((await refusalOf(tagging)).message).toContain("sqs:tagqueue");
});

test("tags decide: those of the queue and those of the request", async () => {
  await simAws.sqs().tagQueue(new TagQueueCommand({ QueueUrl, Tags: { team: "shop" } }));
  const shop = await user("shop", allow("sqs:PurgeQueue", "*", { Condition: { StringEquals: { "aws:ResourceTag/team": "shop" } } }));
  const bank = await user("bank", allow("sqs:PurgeQueue", "*", { Condition: { StringEquals: { "aws:ResourceTag/team": "bank" } } }));
  expect(await refusalOf(simAws.sqs().purgeQueue(new PurgeQueueCommand({ QueueUrl }), { caller: bank }))).toMatchObject({ name: "AccessDenied" });
  await simAws.sqs().purgeQueue(new PurgeQueueCommand({ QueueUrl }), { caller: shop });
  const tagger = await user("tagger", allow("sqs:TagQueue", "*", { Condition: { StringEquals: { "aws:RequestTag/stage": "test" }, "ForAllValues:StringEquals": { "aws:TagKeys": ["stage"] } } }));
  await simAws.sqs().tagQueue(new TagQueueCommand({ QueueUrl, Tags: { stage: "test" } }), { caller: tagger });
  const refusedTags: Record<string, string>[] = [{ stage: "live" }, { stage: "test", more: "" }];
  for (const Tags of refusedTags) {
    expect(await refusalOf(simAws.sqs().tagQueue(new TagQueueCommand({ QueueUrl, Tags }), { caller: tagger }))).toMatchObject({ name: "AccessDenied" });
  }
});

describe("another account", () => {
  test("is let in by the queue's policy and its own, reaches the queue by its URL, and never its owner's actions", async () => {
    const bob = await user("bob", allow("sqs:*"), OTHER);
    const sqs = simAws.account(OTHER).sqs();
    const sendThere = (): Promise<unknown> => sqs.sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "from afar" }), { caller: bob });
    const urlThere = (): Promise<{ QueueUrl?: string }> => sqs.getQueueUrl(new GetQueueUrlCommand({ QueueName: "q", QueueOwnerAWSAccountId: ACCOUNT }), { caller: bob });
    expect(await refusalOf(sendThere())).toMatchObject({ name: "AccessDenied" });
    expect(await refusalOf(urlThere())).toMatchObject({ name: "AccessDenied" });

    await setPolicy({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: { AWS: `arn:aws:iam::${OTHER}:root` }, Action: "sqs:*", Resource: "*" }] });
    await sendThere();
    expect((await urlThere()).QueueUrl).toBe(QueueUrl);
    expect(await receiveOne(simAws, QueueUrl)).toMatchObject({ Body: "from afar" });
    const { Attributes } = await sqs.getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] }), { caller: bob });
    expect(Attributes).toEqual({ QueueArn: arnOf("q") });

    const ownerActions = [
      sqs.setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl, Attributes: { DelaySeconds: "1" } }), { caller: bob }),
      sqs.tagQueue(new TagQueueCommand({ QueueUrl, Tags: { a: "b" } }), { caller: bob }),
      sqs.deleteQueue({ input: { QueueUrl } }, { caller: bob }),
      sqs.listQueueTags({ input: { QueueUrl } }, { caller: bob }),
      sqs.untagQueue({ input: { QueueUrl, TagKeys: ["a"] } }, { caller: bob }),
    ];
    for (const call of ownerActions) expect(await refusalOf(call)).toMatchObject({ name: "AccessDenied" });
  });
});

describe("the sender's id", () => {
  const senderOf = async (): Promise<string | undefined> => (await receiveOne(simAws, QueueUrl, { MessageSystemAttributeNames: ["SenderId"] })).Attributes?.SenderId;

  test("is a user's id", async () => {
    const iam = simAws.iam();
    const { User } = await iam.createUser(new CreateUserCommand({ UserName: "alice" }));
    await iam.putUserPolicy(new PutUserPolicyCommand({ UserName: "alice", PolicyName: "p", PolicyDocument: JSON.stringify(allow("sqs:*")) }));
    await sendAs({ kind: "arn", arn: User!.Arn! });
    expect(await senderOf()).toBe(User!.UserId);
    expect(User!.UserId).toMatch(/^AIDA/);
  });

  test("is a role's id with the session's name", async () => {
    const iam = simAws.iam();
    const trust = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: { AWS: "*" }, Action: "sts:AssumeRole" }] };
    const { Role } = await iam.createRole(new CreateRoleCommand({ RoleName: "app", AssumeRolePolicyDocument: JSON.stringify(trust) }));
    await iam.putRolePolicy(new PutRolePolicyCommand({ RoleName: "app", PolicyName: "p", PolicyDocument: JSON.stringify(allow("sqs:*")) }));
    await sendAs({ kind: "arn", arn: Role!.Arn! });
    expect(await senderOf()).toMatch(new RegExp(`^${Role!.RoleId}:.+`));
  });

  test("is the account of its root, and a service's own name", async () => {
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "m" }));
    expect(await senderOf()).toBe(ACCOUNT);
    await setPolicy({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: { Service: "sns.amazonaws.com" }, Action: "sqs:SendMessage", Resource: "*" }] });
    await sendAs({ kind: "service", service: "sns.amazonaws.com" });
    expect(await senderOf()).toBe("sns.amazonaws.com");
  });
});
