import { DeleteStackCommand } from "@aws-sdk/client-cloudformation";
import { QueueNameExists } from "@aws-sdk/client-sqs";
import { deploy, eventLines, makeWorld, queueNames, rejection, update } from "./setup.js";

const queue = (properties: object = {}, others: object = {}): object => ({ Type: "AWS::SQS::Queue", Properties: properties, ...others });
const handle = { Type: "AWS::CloudFormation::WaitConditionHandle" };

test("a failed creation is rolled back, and the waiter gets the service's own error", async () => {
  const simAws = makeWorld();
  await simAws.sqs().createQueue({ input: { QueueName: "taken", Attributes: { DelaySeconds: "7" } } });
  const stack = await simAws.cloudFormation().deployTemplate({
    stackName: "shop",
    template: { Resources: { A: queue({ QueueName: "a" }), B: queue({ QueueName: "b" }, { DependsOn: "A" }), Bad: queue({ QueueName: "taken", DelaySeconds: 1 }, { DependsOn: "B" }), After: queue({}, { DependsOn: "Bad" }) } },
  });
  const error = await rejection(stack.waitForDeployComplete());

  expect(error).toBeInstanceOf(QueueNameExists);
  expect(error).toMatchObject({ name: "QueueNameExists", $metadata: { httpStatusCode: 400 } });
  expect(error.message).toMatch(/\(resource Bad of type AWS::SQS::Queue, property DelaySeconds, stack shop\)$/);
  expect(await queueNames(simAws)).toEqual(["taken"]);
  expect(eventLines(stack).filter((line) => !/ CREATE_(IN_PROGRESS|COMPLETE)/.test(line))).toEqual([
    expect.stringMatching(/^Bad CREATE_FAILED Resource handler returned message: /),
    "shop ROLLBACK_IN_PROGRESS The following resource(s) failed to create: [Bad]. Rollback requested by user.",
    "B DELETE_IN_PROGRESS",
    "B DELETE_COMPLETE",
    "A DELETE_IN_PROGRESS",
    "A DELETE_COMPLETE",
    "shop ROLLBACK_COMPLETE",
  ]);
  // Asked again, it says the same; all that can be done is to delete it.
  expect(await rejection(stack.waitForDeployComplete())).toBe(error);
  expect(await rejection(update(simAws, { Resources: { A: queue() } }))).toMatchObject({ message: `Stack:${stack.stackId} is in ROLLBACK_COMPLETE state and can not be updated.` });
  await simAws.cloudFormation().deleteStack({ stackName: "shop" });
  expect(stack.status).toBe("DELETE_COMPLETE");
});

test.each<{ name: string; properties: object; error: string; message: string }>([
  { name: "the service refuses a value, and names the property", properties: { VisibilityTimeout: 43_201 }, error: "InvalidAttributeValue", message: "property VisibilityTimeout" },
  { name: "a number that is none", properties: { DelaySeconds: "soon" }, error: "ValidationError", message: "Properties validation failed for resource Q with message: #/DelaySeconds: expected type: Number, found: String" },
  { name: "a fraction where an integer is wanted", properties: { DelaySeconds: 1.5 }, error: "ValidationError", message: "#/DelaySeconds: expected type: Integer, found: Double" },
  { name: "a list where a text is wanted", properties: { QueueName: ["a"] }, error: "ValidationError", message: "#/QueueName: expected type: String, found: JSONArray" },
  { name: "an object where a list is wanted", properties: { Tags: { a: "b" } }, error: "ValidationError", message: "#/Tags: expected type: JSONArray, found: JSONObject" },
  { name: "a text where a boolean is wanted", properties: { SqsManagedSseEnabled: "perhaps" }, error: "ValidationError", message: "#/SqsManagedSseEnabled: expected type: Boolean, found: String" },
  { name: "a required member that is missing", properties: { Tags: [{ Key: "a" }] }, error: "ValidationError", message: "Property validation failure: [The property {/Tags/0/Value} is required]" },
  { name: "a value of the parameter store that there is not", properties: { QueueName: "{{resolve:ssm:/app/name:1}}" }, error: "ValidationError", message: "Unable to fetch parameters [/app/name] from parameter store for this account." },
  { name: "a secret", properties: { QueueName: "{{resolve:secretsmanager:app:SecretString:name}}" }, error: "ValidationError", message: "Secrets Manager can't find the specified secret." },
])("a property fails its resource: $name", async ({ properties, error, message }) => {
  const simAws = makeWorld();
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "shop", template: { Resources: { Q: queue(properties) } } });
  const failure = await rejection(stack.waitForDeployComplete());
  expect(failure.name).toBe(error);
  expect(failure.message).toContain(message);
  expect(failure.message).toContain("(resource Q of type AWS::SQS::Queue");
  expect(stack.status).toBe("ROLLBACK_COMPLETE");
  expect(await queueNames(simAws)).toEqual([]);
});

test("a required property that is missing fails its resource", async () => {
  const stack = await makeWorld().cloudFormation().deployTemplate({ stackName: "shop", template: { Resources: { P: { Type: "AWS::SQS::QueuePolicy", Properties: {} } } } });
  expect((await rejection(stack.waitForDeployComplete())).message).toContain("Property validation failure: [The property {/PolicyDocument} is required, The property {/Queues} is required]");
});

test("an attribute that a type does not have is told when the work has begun, as on AWS", async () => {
  const simAws = makeWorld();
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "shop", template: { Resources: { Q: queue() }, Outputs: { O: { Value: { "Fn::GetAtt": ["Q", "Name"] } } } } });
  const reason = "[Error] /Outputs/O/Value/Fn::GetAtt: Resource type AWS::SQS::Queue does not support attribute {Name}.";
  expect((await rejection(stack.waitForDeployComplete())).message).toContain(reason);
  expect(eventLines(stack)).toEqual(["shop CREATE_IN_PROGRESS User Initiated", `shop ROLLBACK_IN_PROGRESS ${reason} Rollback requested by user.`, "shop ROLLBACK_COMPLETE"]);
});

const trust = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: { Service: "lambda.amazonaws.com" } }] };
const live = { Type: "AWS::SNS::Topic" };
const sixthOf = (value: object): object => ({ "Fn::Select": [6, { "Fn::Split": [":", value] }] });
const madeFromLive = (what: string): string => `. ${what} was made from Live (AWS::SNS::Topic), which the sandbox lacks.`;

test.each<{ name: string; template: object; message: string }>([
  { name: "a function over it", template: { Resources: { Live: live, Q: queue({ QueueName: sixthOf({ Ref: "Live" }) }) } }, message: `Template error: Fn::Select cannot select nonexistent value at index 6 (resource Q of type AWS::SQS::Queue, stack shop)${madeFromLive("Its QueueName")}` },
  { name: "a type that it has not", template: { Resources: { Live: live, Q: queue({ DelaySeconds: { "Fn::GetAtt": ["Live", "TopicName"] } }) } }, message: `#/DelaySeconds: expected type: Number, found: String (resource Q of type AWS::SQS::Queue, property DelaySeconds, stack shop)${madeFromLive("Its DelaySeconds")}` },
  { name: "a service that wants something real, and names no property", template: { Resources: { Live: live, P: { Type: "AWS::SQS::QueuePolicy", Properties: { Queues: [{ "Fn::Sub": "${Live}" }], PolicyDocument: {} } } } }, message: `(resource P of type AWS::SQS::QueuePolicy, stack shop)${madeFromLive("Its Queues")}` },
  { name: "an output", template: { Resources: { Live: live }, Outputs: { O: { Value: sixthOf({ "Fn::GetAtt": ["Live", "TopicArn"] }) } } }, message: `Template error: Fn::Select cannot select nonexistent value at index 6 (output O)${madeFromLive("It")}` },
])("what fails because of a stand-in says so: $name", async ({ template, message }) => {
  const stack = await makeWorld().cloudFormation().deployTemplate({ stackName: "shop", template });
  expect((await rejection(stack.waitForDeployComplete())).message).toMatch(new RegExp(`${message.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`));
  expect(stack.status).toBe("ROLLBACK_COMPLETE");
});

test.each<{ name: string; resources: object }>([
  { name: "another property is wrong", resources: { Q: queue({ KmsMasterKeyId: { Ref: "Live" }, DelaySeconds: 901 }) } },
  { name: "the stand-in is in the branch not taken", resources: { Q: queue({ QueueName: { "Fn::If": ["Never", { Ref: "Live" }, "no name"] } }) } },
  { name: "the resource only waits for what is skipped", resources: { Q: queue({ QueueName: "no name" }, { DependsOn: "Live" }) } },
  { name: "the name is taken", resources: { R: { Type: "AWS::IAM::Role", Properties: { RoleName: "taken", AssumeRolePolicyDocument: trust, Description: { Ref: "Live" } } } } },
])("what fails for another reason than a stand-in does not speak of it: $name", async ({ resources }) => {
  const simAws = makeWorld();
  await simAws.iam().createRole({ input: { RoleName: "taken", AssumeRolePolicyDocument: JSON.stringify(trust) } });
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "shop", template: { Conditions: { Never: { "Fn::Equals": ["a", "b"] } }, Resources: { Live: live, ...resources } } });
  expect((await rejection(stack.waitForDeployComplete())).message).toMatch(/stack shop\)$/);
});

test.each<{ OnFailure: "ROLLBACK" | "DELETE" | "DO_NOTHING"; status: string; names: string[] }>([
  { OnFailure: "ROLLBACK", status: "ROLLBACK_COMPLETE", names: [] },
  { OnFailure: "DELETE", status: "DELETE_COMPLETE", names: [] },
  { OnFailure: "DO_NOTHING", status: "CREATE_FAILED", names: ["a"] },
])("OnFailure $OnFailure ends in $status", async ({ OnFailure, status, names }) => {
  const simAws = makeWorld();
  const TemplateBody = JSON.stringify({ Resources: { A: queue({ QueueName: "a" }), Bad: queue({ DelaySeconds: 901 }, { DependsOn: "A" }) } });
  const { StackId = "" } = await simAws.cloudFormation().createStack({ input: { StackName: "shop", TemplateBody, OnFailure } });
  await simAws.backgroundTasksComplete();
  expect(simAws.cloudFormation().findStack(StackId)?.status).toBe(status);
  expect(await queueNames(simAws)).toEqual(names);
});

test("a stack left as it failed can be updated to what it should have been", async () => {
  const simAws = makeWorld();
  const template = (seconds: number): object => ({ Resources: { A: queue({ QueueName: "a" }), Bad: queue({ QueueName: "b", DelaySeconds: seconds }, { DependsOn: "A" }) } });
  await simAws.cloudFormation().createStack({ input: { StackName: "shop", TemplateBody: JSON.stringify(template(901)), DisableRollback: true } });
  await simAws.backgroundTasksComplete();
  const stack = await update(simAws, template(900));
  expect(stack.status).toBe("UPDATE_COMPLETE");
  expect(await queueNames(simAws)).toEqual(["a", "b"]);
});

test("a rollback leaves what is to be retained, and takes what is to be retained except on create", async () => {
  const simAws = makeWorld();
  const stack = await simAws.cloudFormation().deployTemplate({
    stackName: "shop",
    template: { Resources: { Held: queue({ QueueName: "held" }, { DeletionPolicy: "Retain" }), New: queue({ QueueName: "new" }, { DeletionPolicy: "RetainExceptOnCreate" }), Bad: queue({ DelaySeconds: 901 }, { DependsOn: ["Held", "New"] }) } },
  });
  await rejection(stack.waitForDeployComplete());
  expect(await queueNames(simAws)).toEqual(["held"]);
  expect(eventLines(stack)).toContain("Held DELETE_SKIPPED");
});

test("deleting a stack takes its resources, users before what they use, and frees its name", async () => {
  const simAws = makeWorld();
  const template = { Resources: { A: queue({ QueueName: "a" }), B: queue({ QueueName: "b" }, { DependsOn: "A" }), Held: queue({ QueueName: "held" }, { DeletionPolicy: "Retain" }) } };
  const stack = await deploy(simAws, template);
  const before = eventLines(stack).length;
  await simAws.cloudFormation().deleteStack(new DeleteStackCommand({ StackName: "shop" }));
  expect(stack.status).toBe("DELETE_IN_PROGRESS");
  await simAws.backgroundTasksComplete();

  expect(stack.status).toBe("DELETE_COMPLETE");
  expect(await queueNames(simAws)).toEqual(["held"]);
  const events = eventLines(stack).slice(before);
  expect(events[0]).toBe("shop DELETE_IN_PROGRESS User Initiated");
  expect(events.filter((line) => /^[AB] /.test(line))).toEqual(["B DELETE_IN_PROGRESS", "B DELETE_COMPLETE", "A DELETE_IN_PROGRESS", "A DELETE_COMPLETE"]);
  expect(events).toContain("Held DELETE_SKIPPED");
  expect(events.at(-1)).toBe("shop DELETE_COMPLETE");
  // Only its id still finds it.
  expect(simAws.cloudFormation().findStack("shop")).toBeUndefined();
  expect(simAws.cloudFormation().findStack(stack.stackId)?.status).toBe("DELETE_COMPLETE");
  const again = await deploy(simAws, { Resources: { H: handle } });
  expect(again.stackId).not.toBe(stack.stackId);
});

test("a stack whose resource cannot be deleted is DELETE_FAILED, until the resource is retained", async () => {
  const simAws = makeWorld();
  const stack = await deploy(simAws, { Resources: { R: { Type: "AWS::IAM::Role", Properties: { RoleName: "worker", AssumeRolePolicyDocument: trust } }, Q: queue({ QueueName: "q" }) } });
  await simAws.iam().putRolePolicy({ input: { RoleName: "worker", PolicyName: "foreign", PolicyDocument: JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sqs:*", Resource: "*" }] }) } });
  const error = await rejection(simAws.cloudFormation().deleteStack({ stackName: "shop" }));
  expect(error.name).toMatch(/^DeleteConflict/);
  expect(stack.status).toBe("DELETE_FAILED");
  expect(stack.events[0]?.ResourceStatusReason).toBe("The following resource(s) failed to delete: [R]. ");
  expect(await queueNames(simAws)).toEqual([]);

  await simAws.cloudFormation().deleteStack(new DeleteStackCommand({ StackName: "shop", RetainResources: ["R"] }));
  await simAws.backgroundTasksComplete();
  expect(stack.status).toBe("DELETE_COMPLETE");
  expect(eventLines(stack)).toContain("R DELETE_SKIPPED");
});

test("a deletion asked for while the stack is being made comes after it", async () => {
  const simAws = makeWorld();
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "shop", template: { Resources: { Q: queue() } } });
  await simAws.cloudFormation().deleteStack({ stackName: "shop" });
  expect(stack.status).toBe("DELETE_COMPLETE");
  expect(await queueNames(simAws)).toEqual([]);
  expect(eventLines(stack).slice(-5)).toEqual(["shop CREATE_COMPLETE", "shop DELETE_IN_PROGRESS User Initiated", "Q DELETE_IN_PROGRESS", "Q DELETE_COMPLETE", "shop DELETE_COMPLETE"]);
});

test("a reset ends a deployment underway, and whoever waits for it is told", async () => {
  const simAws = makeWorld();
  const template = { Resources: { A: queue({ QueueName: "a" }), B: queue({ QueueName: "b" }, { DependsOn: "A" }) } };
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "shop", template });
  const ended = rejection(stack.waitForDeployComplete());
  simAws.reset();
  expect(await ended).toMatchObject({ name: "SimStackGone", message: `There is no stack ${stack.stackId} any more: the world was reset, or the stack was deleted long ago.` });
  expect(() => stack.status).toThrow(/the world was reset/);
  await simAws.backgroundTasksComplete();
  expect(await queueNames(simAws)).toEqual([]);
  expect((await deploy(simAws, template)).status).toBe("CREATE_COMPLETE");
});

test("resources are made as the one who deploys", async () => {
  const simAws = makeWorld();
  await simAws.iam().createUser({ input: { UserName: "deployer" } });
  const statement = { Effect: "Allow", Action: "cloudformation:*", Resource: "*" };
  await simAws.iam().putUserPolicy({ input: { UserName: "deployer", PolicyName: "p", PolicyDocument: JSON.stringify({ Version: "2012-10-17", Statement: [statement] }) } });
  const caller = { kind: "arn", arn: "arn:aws:iam::888888888888:user/deployer" } as const;
  const template = { Resources: { Q: queue() } };

  const denied = await simAws.cloudFormation().deployTemplate({ stackName: "shop", template, caller });
  expect((await rejection(denied.waitForDeployComplete())).message).toContain("user/deployer is not authorized to perform: sqs:createqueue");
  await simAws.iam().putUserPolicy({ input: { UserName: "deployer", PolicyName: "p", PolicyDocument: JSON.stringify({ Version: "2012-10-17", Statement: [statement, { Effect: "Allow", Action: "sqs:*", Resource: "*" }] }) } });
  const allowed = await simAws.cloudFormation().deployTemplate({ stackName: "shop2", template, caller });
  await allowed.waitForDeployComplete();

  const stranger = { kind: "arn", arn: "arn:aws:iam::888888888888:user/stranger" } as const;
  const refused = await rejection(simAws.cloudFormation().deployTemplate({ stackName: "shop3", template, caller: stranger }));
  expect(refused).toMatchObject({ name: "AccessDenied", $metadata: { httpStatusCode: 403 }, message: expect.stringContaining("cloudformation:CreateStack on resource: arn:aws:cloudformation:us-east-1:888888888888:stack/shop3/*") });
});

test.each<{ name: string; session: string[]; status: string; queues: number }>([
  { name: "what its policy leaves", session: ["cloudformation:*", "sqs:*"], status: "CREATE_COMPLETE", queues: 1 },
  { name: "no more than its policy leaves", session: ["cloudformation:*"], status: "ROLLBACK_COMPLETE", queues: 0 },
])("a session deploys $name of its role's rights", async ({ session, status, queues }) => {
  const simAws = makeWorld();
  const document = (Action: string[]): string => JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action, Resource: "*" }] });
  const accountTrust = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: { AWS: "888888888888" } }] };
  const { Role } = await simAws.iam().createRole({ input: { RoleName: "deployer", AssumeRolePolicyDocument: JSON.stringify(accountTrust) } });
  await simAws.iam().putRolePolicy({ input: { RoleName: "deployer", PolicyName: "all", PolicyDocument: document(["*"]) } });
  const { Credentials } = await simAws.sts().assumeRole({ input: { RoleArn: Role?.Arn, RoleSessionName: "ci", Policy: document(session) } });
  const { AccessKeyId: accessKeyId = "", SecretAccessKey: secretAccessKey = "", SessionToken: sessionToken } = Credentials ?? {};
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "shop", template: { Resources: { Q: queue() } }, caller: { kind: "credentials", credentials: { accessKeyId, secretAccessKey, sessionToken } } });
  await simAws.backgroundTasksComplete();
  expect(stack.status).toBe(status);
  expect((await queueNames(simAws)).length).toBe(queues);
  if (queues === 0) expect((await rejection(stack.waitForDeployComplete())).message).toMatch(/assumed-role\/deployer\/ci is not authorized to perform: sqs:createqueue .*because no session policy allows the sqs:createqueue action/);
});
