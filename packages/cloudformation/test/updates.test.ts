import { GetQueueAttributesCommand, GetQueueUrlCommand } from "@aws-sdk/client-sqs";
import type { SimAws } from "sandstack";
import { deploy, eventLines, makeWorld, queueNames, rejection, update } from "./setup.js";

const queue = (properties: object = {}, others: object = {}): object => ({ Type: "AWS::SQS::Queue", Properties: properties, ...others });

async function attributeOf(simAws: SimAws, QueueName: string, name: "VisibilityTimeout" | "RedrivePolicy" | "DelaySeconds"): Promise<string | undefined> {
  const { QueueUrl } = await simAws.sqs().getQueueUrl(new GetQueueUrlCommand({ QueueName }));
  return (await simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [name] }))).Attributes?.[name];
}

test("a property that can be changed in place is; what the template no longer says goes back to its default", async () => {
  const simAws = makeWorld();
  const stack = await deploy(simAws, { Resources: { Q: queue({ QueueName: "q", VisibilityTimeout: 45 }) } });
  const url = stack.getResource("Q").physicalId;

  await update(simAws, { Resources: { Q: queue({ QueueName: "q", VisibilityTimeout: 60 }) } });
  expect(await attributeOf(simAws, "q", "VisibilityTimeout")).toBe("60");
  await update(simAws, { Resources: { Q: queue({ QueueName: "q" }) } });
  expect(await attributeOf(simAws, "q", "VisibilityTimeout")).toBe("30");
  expect(stack.getResource("Q")).toMatchObject({ physicalId: url, status: "UPDATE_COMPLETE" });
  expect(eventLines(stack).slice(-5)).toEqual([
    "shop UPDATE_IN_PROGRESS User Initiated",
    "Q UPDATE_IN_PROGRESS",
    "Q UPDATE_COMPLETE",
    "shop UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
    "shop UPDATE_COMPLETE",
  ]);
});

test("a property that makes another queue replaces it, and what depends on it follows before the old one goes", async () => {
  const simAws = makeWorld();
  const template = (name: string): object => ({
    Resources: { Dead: queue({ QueueName: name }), Orders: queue({ QueueName: "orders", RedrivePolicy: { deadLetterTargetArn: { "Fn::GetAtt": ["Dead", "Arn"] }, maxReceiveCount: 3 } }) },
    Outputs: { Dead: { Value: { Ref: "Dead" } } },
  });
  const stack = await deploy(simAws, template("dead-1"));
  const before = eventLines(stack).length;
  await update(simAws, template("dead-2"));

  expect(await queueNames(simAws)).toEqual(["dead-2", "orders"]);
  expect(JSON.parse((await attributeOf(simAws, "orders", "RedrivePolicy")) ?? "")).toMatchObject({ deadLetterTargetArn: expect.stringMatching(/:dead-2$/) });
  expect(stack.output("Dead")).toMatch(/\/dead-2$/);
  expect(eventLines(stack).slice(before)).toEqual([
    "shop UPDATE_IN_PROGRESS User Initiated",
    "Dead UPDATE_IN_PROGRESS Requested update requires the creation of a new physical resource; hence creating one.",
    "Dead UPDATE_IN_PROGRESS Resource creation Initiated",
    "Dead UPDATE_COMPLETE",
    "Orders UPDATE_IN_PROGRESS",
    "Orders UPDATE_COMPLETE",
    "shop UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
    "Dead DELETE_IN_PROGRESS",
    "Dead DELETE_COMPLETE",
    "shop UPDATE_COMPLETE",
  ]);
  expect(stack.events[2]).toMatchObject({ LogicalResourceId: "Dead", ResourceStatus: "DELETE_IN_PROGRESS", PhysicalResourceId: expect.stringMatching(/dead-1$/) });
});

test("a replaced queue stays where UpdateReplacePolicy says so", async () => {
  const simAws = makeWorld();
  await deploy(simAws, { Resources: { Q: queue({ QueueName: "one" }, { UpdateReplacePolicy: "Retain" }) } });
  const stack = await update(simAws, { Resources: { Q: queue({ QueueName: "two" }, { UpdateReplacePolicy: "Retain" }) } });
  expect(await queueNames(simAws)).toEqual(["one", "two"]);
  expect(eventLines(stack)).toContain("Q DELETE_SKIPPED");
  await simAws.cloudFormation().deleteStack({ stackName: "shop" });
  expect(await queueNames(simAws)).toEqual(["one"]);
});

test("a queue of a fixed name cannot be replaced under that name", async () => {
  const simAws = makeWorld();
  const role = (path: string): object => ({
    Resources: { R: { Type: "AWS::IAM::Role", Properties: { RoleName: "worker", Path: path, AssumeRolePolicyDocument: { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: { Service: "lambda.amazonaws.com" } }] } } } },
  });
  await deploy(simAws, role("/a/"));
  const error = await rejection(update(simAws, role("/b/")));
  expect(error).toMatchObject({ name: "ValidationError", message: expect.stringContaining("CloudFormation cannot update a stack when a custom-named resource requires replacing. Rename worker and update the stack again.") });
  expect(simAws.cloudFormation().findStack("shop")?.status).toBe("UPDATE_ROLLBACK_COMPLETE");
});

test("what leaves the template, or whose condition is switched off, is deleted in the cleanup, users before what they use; retained ones stay", async () => {
  const simAws = makeWorld();
  const template = (resources: object): object => ({
    Parameters: { On: { Type: "String", Default: "yes" } },
    Conditions: { IsOn: { "Fn::Equals": [{ Ref: "On" }, "yes"] } },
    Resources: { Keep: queue({ QueueName: "keep" }), Cond: queue({ QueueName: "cond" }, { Condition: "IsOn" }), ...resources },
  });
  const stack = await deploy(simAws, template({ A: queue({ QueueName: "a" }), B: queue({ QueueName: "b" }, { DependsOn: "A" }), C: queue({ QueueName: "c" }, { DependsOn: "B" }), Held: queue({ QueueName: "held" }, { DeletionPolicy: "Retain" }) }));
  await update(simAws, template({}), { parameters: { On: "no" } });

  expect(await queueNames(simAws)).toEqual(["held", "keep"]);
  expect(stack.resources.map(({ logicalId }) => logicalId)).toEqual(["Keep"]);
  const deletions = eventLines(stack).filter((line) => /DELETE_(COMPLETE|SKIPPED)/.test(line));
  expect(deletions.filter((line) => /^[ABC] /.test(line))).toEqual(["C DELETE_COMPLETE", "B DELETE_COMPLETE", "A DELETE_COMPLETE"]);
  expect(deletions).toEqual(expect.arrayContaining(["Held DELETE_SKIPPED", "Cond DELETE_COMPLETE"]));
});

test("a failed update puts everything back: values, replaced and new resources, outputs, template", async () => {
  const simAws = makeWorld();
  await simAws.sqs().createQueue({ input: { QueueName: "taken", Attributes: { DelaySeconds: "7" } } });
  const good = { Resources: { A: queue({ QueueName: "a", VisibilityTimeout: 45 }), R: queue({ QueueName: "r-1" }), Gone: queue({ QueueName: "gone" }) }, Outputs: { R: { Value: { Ref: "R" } } } };
  const stack = await deploy(simAws, good);
  const bad = {
    Resources: {
      A: queue({ QueueName: "a", VisibilityTimeout: 60 }),
      R: queue({ QueueName: "r-2" }),
      N: queue({ QueueName: "n" }, { DependsOn: ["A", "R"] }),
      Bad: queue({ QueueName: "taken", DelaySeconds: 1 }, { DependsOn: "N" }),
    },
  };
  const before = eventLines(stack).length;
  const error = await rejection(update(simAws, bad));

  expect(error.name).toBe("QueueNameExists");
  expect(error.message).toMatch(/\(resource Bad of type AWS::SQS::Queue, property DelaySeconds, stack shop\)$/);
  expect(stack.status).toBe("UPDATE_ROLLBACK_COMPLETE");
  expect(await queueNames(simAws)).toEqual(["a", "gone", "r-1", "taken"]);
  expect(await attributeOf(simAws, "a", "VisibilityTimeout")).toBe("45");
  expect(await attributeOf(simAws, "taken", "DelaySeconds")).toBe("7");
  expect(stack.outputs).toEqual({ R: expect.stringMatching(/\/r-1$/) });
  expect(stack.resources.map(({ logicalId, physicalId }) => `${logicalId} ${physicalId?.split("/").at(-1)}`)).toEqual(["A a", "R r-1", "Gone gone"]);
  expect((await simAws.cloudFormation().getTemplate({ input: { StackName: "shop" } })).TemplateBody).toBe(JSON.stringify(good));
  const events = eventLines(stack).slice(before);
  expect(events.filter((line) => line.startsWith("shop"))).toEqual([
    "shop UPDATE_IN_PROGRESS User Initiated",
    "shop UPDATE_ROLLBACK_IN_PROGRESS The following resource(s) failed to create: [Bad].",
    "shop UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS",
    "shop UPDATE_ROLLBACK_COMPLETE",
  ]);
  expect(events).toContainEqual(expect.stringMatching(/^Bad CREATE_FAILED Resource handler returned message: ".* \(Service: Sqs, Status Code: 400, Request ID: [0-9a-f-]{36}\)" \(RequestToken: [0-9a-f-]{36}, HandlerErrorCode: AlreadyExists\)$/));

  // The stack can be updated again, and told the same as before it has nothing to do.
  expect(await rejection(update(simAws, good))).toMatchObject({ message: "No updates are to be performed." });
  await update(simAws, { Resources: { A: queue({ QueueName: "a", VisibilityTimeout: 60 }) } });
  expect(await queueNames(simAws)).toEqual(["a", "taken"]);
});

test("an update that changes nothing is refused; outputs, tags and metadata are changes too", async () => {
  const simAws = makeWorld();
  const template = { Parameters: { Seconds: { Type: "Number", Default: 5 } }, Resources: { Q: queue({ DelaySeconds: { Ref: "Seconds" } }) }, Outputs: { Url: { Value: { Ref: "Q" } } } };
  await deploy(simAws, template);
  for (const same of [{}, { parameters: { Seconds: "5" } }]) {
    expect(await rejection(update(simAws, template, same))).toMatchObject({ name: "ValidationError", message: "No updates are to be performed." });
  }
  expect(simAws.cloudFormation().findStack("shop")?.status).toBe("CREATE_COMPLETE");

  await update(simAws, template, { parameters: { Seconds: 6 } });
  // A parameter that is not given keeps its value, and a template that is not given stays.
  expect(await rejection(update(simAws, template))).toMatchObject({ message: "No updates are to be performed." });
  const stack = await simAws.cloudFormation().updateTemplate({ stackName: "shop", parameters: { Seconds: 7 } });
  await stack.waitForDeployComplete();
  await update(simAws, { ...template, Outputs: { Other: { Value: { Ref: "Q" } } } });
  expect(Object.keys(stack.outputs)).toEqual(["Other"]);
  await update(simAws, { ...template, Outputs: {} }, { tags: { team: "orders" } });
  await update(simAws, { ...template, Outputs: {}, Resources: { Q: { ...template.Resources.Q, Metadata: { a: 1 } } } });
  expect(stack.status).toBe("UPDATE_COMPLETE");
});

test.each<{ name: string; template: object; message: string | RegExp }>([
  { name: "another type", template: { Resources: { Q: { Type: "AWS::CloudFormation::WaitConditionHandle" } } }, message: "Update of resource type is not permitted. The new template modifies resource type of the following resources: [Q]" },
  { name: "an unknown parameter", template: { Resources: { Q: queue({ QueueName: { Ref: "X" } }) } }, message: /^Template format error: Unresolved resource dependencies \[X\]/ },
])("an update is refused: $name", async ({ template, message }) => {
  const simAws = makeWorld();
  const stack = await deploy(simAws, { Resources: { Q: queue({ QueueName: "q" }) } });
  const error = await rejection(simAws.cloudFormation().updateTemplate({ stackName: "shop", template }));
  expect(error.name).toBe("ValidationError");
  expect(error.message).toMatch(message);
  expect(stack.status).toBe("CREATE_COMPLETE");
});
