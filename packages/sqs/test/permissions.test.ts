import { CreateUserCommand, PutUserPolicyCommand } from "@aws-sdk/client-iam";
import { AddPermissionCommand, CreateQueueCommand, GetQueueAttributesCommand, RemovePermissionCommand, SendMessageCommand, SetQueueAttributesCommand, type AddPermissionCommandInput } from "@aws-sdk/client-sqs";
import { SimAws, type Caller } from "sandstack";
import { arnOf, createQueue, invalidParameter, MISSING, missingParameter, queueDoesNotExist, refusalOf, type Refusal } from "./setup.js";

const [ALICE, BOB] = ["111111111111", "222222222222"];

let simAws: SimAws;
let QueueUrl: string;
beforeEach(async () => {
  simAws = new SimAws({ startTime: new Date("2026-01-01T00:00:00Z") });
  QueueUrl = await createQueue(simAws, "q");
});

const add = (permission: Partial<AddPermissionCommandInput> = {}): Promise<unknown> =>
  simAws.sqs().addPermission(new AddPermissionCommand({ QueueUrl, Label: "label", AWSAccountIds: [ALICE], Actions: ["ReceiveMessage"], ...permission }));
const remove = (Label: string | undefined = "label"): Promise<unknown> => simAws.sqs().removePermission(new RemovePermissionCommand({ QueueUrl, Label }));

async function policyText(): Promise<string | undefined> {
  const { Attributes } = await simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["Policy"] }));
  return Attributes?.Policy;
}

const policyWith = (...Statement: object[]): object => ({ Version: "2008-10-17", Id: `${arnOf("q")}/SQSDefaultPolicy`, Statement });
const statement = (Sid: string, AWS: string | string[], Action: string | string[]): object => ({ Sid, Effect: "Allow", Principal: { AWS }, Action, Resource: arnOf("q") });
const rootOf = (account: string): string => `arn:aws:iam::${account}:root`;

test("a permission is a statement of the policy, written as AWS writes it", async () => {
  await add();
  expect(await policyText()).toBe(JSON.stringify(policyWith(statement("label", rootOf(ALICE), "SQS:ReceiveMessage"))));
  await add({ Label: "Second_label-2", AWSAccountIds: [ALICE, BOB], Actions: ["SendMessage", "*"] });
  const both = [statement("label", rootOf(ALICE), "SQS:ReceiveMessage"), statement("Second_label-2", [rootOf(ALICE), rootOf(BOB)], ["SQS:SendMessage", "SQS:*"])];
  expect(await policyText()).toBe(JSON.stringify(policyWith(...both)));
  await remove();
  expect(await policyText()).toBe(JSON.stringify(policyWith(both[1]!)));
  await remove("Second_label-2");
  expect(await policyText()).toBeUndefined();
  await add();
  expect(JSON.parse((await policyText())!)).toMatchObject({ Statement: [{ Sid: "label" }] });
});

test("permissions are added to a policy of the user's own and taken off it, and what else it says stays", async () => {
  const own = { Version: "2012-10-17", Id: "mine", Statement: { Sid: "own", Effect: "Deny", Principal: "*", Action: "sqs:*", Resource: "*", Condition: { Bool: { "aws:SecureTransport": "false" } } } };
  await simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: JSON.stringify(own) } }));
  await simAws.clock().advanceBy({ seconds: 10 });
  await add();
  expect(JSON.parse((await policyText())!)).toEqual({ ...own, Statement: [own.Statement, statement("label", rootOf(ALICE), "SQS:ReceiveMessage")] });
  await remove("own");
  expect(JSON.parse((await policyText())!)).toEqual({ ...own, Statement: [statement("label", rootOf(ALICE), "SQS:ReceiveMessage")] });
  const { Attributes } = await simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["LastModifiedTimestamp"] }));
  expect(Attributes).toEqual({ LastModifiedTimestamp: String(Date.parse("2026-01-01T00:00:10Z") / 1000) });
});

test("a permission lets the other account in, and its removal keeps it out", async () => {
  const { User } = await simAws.account(ALICE).iam().createUser(new CreateUserCommand({ UserName: "alice" }));
  const PolicyDocument = JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sqs:*", Resource: "*" }] });
  await simAws.account(ALICE).iam().putUserPolicy(new PutUserPolicyCommand({ UserName: "alice", PolicyName: "p", PolicyDocument }));
  const caller: Caller = { kind: "arn", arn: User!.Arn! };
  const sendAsAlice = (): Promise<unknown> => simAws.account(ALICE).sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "m" }), { caller });
  await add({ Actions: ["ReceiveMessage"] });
  expect(await refusalOf(sendAsAlice())).toMatchObject({ name: "AccessDenied" });
  await add({ Label: "send", Actions: ["SendMessage"] });
  await sendAsAlice();
  await remove("send");
  expect(await refusalOf(sendAsAlice())).toMatchObject({ name: "AccessDenied" });
  // Permissions themselves are the owner's, whatever the policy says.
  await add({ Label: "all", Actions: ["*"] });
  const strange = simAws.account(ALICE).sqs().removePermission(new RemovePermissionCommand({ QueueUrl, Label: "all" }), { caller });
  expect(await refusalOf(strange)).toMatchObject({ name: "AccessDenied" });
});

test("in China principals are of China's partition", async () => {
  const sqs = simAws.region("cn-north-1").sqs();
  const { QueueUrl: url } = await sqs.createQueue(new CreateQueueCommand({ QueueName: "q" }));
  await sqs.addPermission(new AddPermissionCommand({ QueueUrl: url, Label: "l", AWSAccountIds: [ALICE], Actions: ["SendMessage"] }));
  const { Attributes } = await sqs.getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ["Policy"] }));
  expect(JSON.parse(Attributes!.Policy!)).toMatchObject({ Statement: [{ Principal: { AWS: `arn:aws-cn:iam::${ALICE}:root` } }] });
});

describe("AddPermission is refused, and the policy stays,", () => {
  const grantable = ["ChangeMessageVisibility", "DeleteMessage", "GetQueueAttributes", "GetQueueUrl", "ListDeadLetterSourceQueues", "PurgeQueue", "ReceiveMessage", "SendMessage"];
  const label = (value: string): Refusal => invalidParameter(`Value ${value} for parameter Label is invalid. Reason: Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length`);
  const account = (shown: string): Refusal => invalidParameter(`Value ${shown} for parameter PrincipalId is invalid. Reason: Unable to verify.`);
  const owners = (action: string): Refusal => invalidParameter(`Value SQS:${action} for parameter ActionName is invalid. Reason: Only the queue owner is allowed to invoke this action.`);
  const unknown = (action: string): Refusal => invalidParameter(`Value SQS:${action} for parameter ActionName is invalid. Reason: Please refer to the appropriate WSDL for a list of valid actions. `);

  test.each<{ name: string; permission: { [Name in keyof AddPermissionCommandInput]?: AddPermissionCommandInput[Name] | undefined }; refusal: Refusal }>([
    { name: "on a queue that does not exist", permission: { QueueUrl: MISSING }, refusal: queueDoesNotExist },
    { name: "without a label", permission: { Label: undefined }, refusal: missingParameter("Label") },
    { name: "with an empty label", permission: { Label: "" }, refusal: label("") },
    { name: "with a label of 81 characters", permission: { Label: "a".repeat(81) }, refusal: label("a".repeat(81)) },
    { name: "with a label of other characters", permission: { Label: "a.b" }, refusal: label("a.b") },
    { name: "with a label that is there", permission: { Label: "taken" }, refusal: invalidParameter("Value taken for parameter Label is invalid. Reason: Already exists.") },
    { name: "without actions", permission: { Actions: [] }, refusal: missingParameter("Actions") },
    { name: "with eight actions", permission: { Actions: grantable }, refusal: { name: "OverLimit", message: "8 Actions were found, maximum allowed is 7.", status: 403 } },
    { name: "with an owner's action", permission: { Actions: ["SendMessage", "RemovePermission"] }, refusal: owners("RemovePermission") },
    ...["AddPermission", "CreateQueue", "DeleteQueue", "ListQueues", "SetQueueAttributes", "StartMessageMoveTask", "TagQueue"].map((action) => ({ name: `with ${action}`, permission: { Actions: [action] }, refusal: owners(action) })),
    { name: "with a batch", permission: { Actions: ["SendMessageBatch"] }, refusal: unknown("SendMessageBatch") },
    { name: "with an action of nobody", permission: { Actions: ["Fly"] }, refusal: unknown("Fly") },
    { name: "with a prefix", permission: { Actions: ["sqs:SendMessage"] }, refusal: unknown("sqs:SendMessage") },
    { name: "without accounts", permission: { AWSAccountIds: [] }, refusal: account("[]") },
    { name: "with an account that is none", permission: { AWSAccountIds: [ALICE, "arn:aws:iam::111111111111:user/alice"] }, refusal: account(`[${ALICE}, arn:aws:iam::111111111111:user/alice]`) },
  ])("$name", async ({ permission, refusal }) => {
    await add({ Label: "taken" });
    const before = await policyText();
    expect(await refusalOf(add(permission as Partial<AddPermissionCommandInput>))).toEqual(refusal);
    expect(await policyText()).toBe(before);
  });

  test("when it would be the 21st", async () => {
    for (let label = 1; label <= 20; label++) await add({ Label: String(label) });
    const before = await policyText();
    expect(await refusalOf(add({ Label: "21" }))).toEqual({ name: "OverLimit", message: "21 statements were found in the submitted policy, max allowed is 20", status: 403 });
    expect(await policyText()).toBe(before);
  });

  test("but not with seven actions and a label of 80 characters", async () => {
    await add({ Label: "a".repeat(80), Actions: grantable.slice(0, 7) });
    await add({ Label: "eighth", Actions: grantable.slice(7) });
  });
});

describe("RemovePermission is refused", () => {
  const notFound = (reason: string): Refusal => invalidParameter(`Value label for parameter Label is invalid. Reason: ${reason}`);

  test("for a label that is not there, in other words on a queue that never had a policy", async () => {
    expect(await refusalOf(remove())).toEqual(notFound("can't find label on existing policy."));
    await add({ Label: "other" });
    expect(await refusalOf(remove())).toEqual(notFound("can't find label."));
    await remove("other");
    expect(await refusalOf(remove())).toEqual(notFound("can't find label."));
  });

  test("without a label, and on a queue that does not exist", async () => {
    expect(await refusalOf(simAws.sqs().removePermission({ input: { QueueUrl, Label: undefined } }))).toEqual(missingParameter("Label"));
    expect(await refusalOf(simAws.sqs().removePermission({ input: { QueueUrl: MISSING, Label: "label" } }))).toEqual(queueDoesNotExist);
  });
});
