import { CreateQueueCommand, ListQueuesCommand } from "@aws-sdk/client-sqs";
import { GetCallerIdentityCommand } from "@aws-sdk/client-sts";
import { runInNewContext } from "node:vm";
import { SimAws } from "sandstack";
import { SimSdk } from "sandstack/sdk";
import { serveSimAws } from "sandstack/serve";

/*
 * What users without types, and tired ones with them, hand in: one line that says what was given and what there is,
 * and nothing has changed.
 */

const startTime = new Date("2026-01-01T00:00:00Z");
const ROLE = "arn:aws:iam::888888888888:role/sender";

let simAws: SimAws;
/** The same world without its types. */
let untyped: any;
beforeEach(() => {
  untyped = simAws = new SimAws({ startTime });
});

async function thrownBy(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("the clock", () => {
  const units = "The members there are: days, hours, minutes, seconds, milliseconds.";
  test.each([
    { given: 5, message: `A clock moves by a length of time such as { seconds: 30 }, not by 5. ${units}` },
    { given: undefined, message: `A clock moves by a length of time such as { seconds: 30 }, not by undefined. ${units}` },
    { given: { second: 5 }, message: `A clock moves by a length of time such as { seconds: 30 }, not by { second: 5 }. ${units}` },
    { given: { seconds: 5, hour: 1 }, message: `A clock moves by a length of time such as { seconds: 30 }, not by { seconds: 5, hour: 1 }. ${units}` },
    { given: {}, message: `A clock moves by a length of time such as { seconds: 30 }, not by {}. ${units}` },
    { given: { seconds: "30" }, message: `A clock moves by a length of time such as { seconds: 30 }, not by { seconds: '30' }. ${units}` },
    { given: { seconds: Number.NaN }, message: "A clock moves forward by a length of time such as { seconds: 30 }, not by { seconds: NaN }." },
    { given: { seconds: -1 }, message: "A clock moves forward by a length of time such as { seconds: 30 }, not by { seconds: -1 }." },
  ])("does not move by $given", async ({ given, message }) => {
    expect(await thrownBy(() => untyped.clock().advanceBy(given))).toEqual(new RangeError(message));
    expect(simAws.clock().now()).toEqual(startTime);
  });

  test.each([
    { given: "2027-01-01", shown: "'2027-01-01'" },
    { given: 1_800_000_000_000, shown: "1800000000000" },
    { given: undefined, shown: "undefined" },
  ])("does not move to $given", async ({ given, shown }) => {
    expect(await thrownBy(() => untyped.clock().advanceTo(given))).toEqual(new RangeError(`A clock moves to a Date such as new Date("2026-12-24T18:00:00Z"), not to ${shown}.`));
    expect(simAws.clock().now()).toEqual(startTime);
  });

  test("takes a Date of another realm, as those are that a script in a vm makes", async () => {
    const date: Date = runInNewContext(`new Date("2026-02-01T00:00:00Z")`);
    await simAws.clock().advanceTo(date);
    expect(simAws.clock().now().toISOString()).toBe("2026-02-01T00:00:00.000Z");
    expect(new SimAws({ startTime: date }).clock().now().toISOString()).toBe("2026-02-01T00:00:00.000Z");
  });
});

describe("options", () => {
  const known = "The options there are: defaultAccountId, defaultRegionName, startTime, seed, clock, iam, delivery.";
  const accountIds = `an account's id, a text of twelve digits such as "111122223333"`;
  const regions = `a region's name such as "eu-west-1"`;
  test.each<{ options: unknown; message: string }>([
    { options: "us-east-1", message: `new SimAws() takes an object of options, not 'us-east-1'. ${known}` },
    { options: null, message: `new SimAws() takes an object of options, not null. ${known}` },
    { options: { accountId: "111111111111" }, message: `new SimAws() has no option accountId. ${known}` },
    { options: { clock: "manaul" }, message: "clock is 'manual' or 'live'; it was given as 'manaul'." },
    { options: { iam: "of" }, message: "iam is 'enforce' or 'off'; it was given as 'of'." },
    { options: { iam: false }, message: "iam is 'enforce' or 'off'; it was given as false." },
    { options: { defaultAccountId: "12" }, message: `defaultAccountId is ${accountIds}; it was given as '12'.` },
    { options: { defaultAccountId: 111111111111 }, message: `defaultAccountId is ${accountIds}; it was given as 111111111111.` },
    { options: { defaultRegionName: "" }, message: `defaultRegionName is ${regions}; it was given as ''.` },
    { options: { startTime: new Date(Number.NaN) }, message: `startTime is a Date such as new Date("2026-01-01T00:00:00Z"); it was given as Invalid Date.` },
    { options: { startTime: "2026-01-01" }, message: `startTime is a Date such as new Date("2026-01-01T00:00:00Z"); it was given as '2026-01-01'.` },
    { options: { seed: {} }, message: "seed is a text or a number; it was given as {}." },
    { options: { delivery: { twice: 1 } }, message: "There is no delivery option twice. There are: duplicates, reorder, emptyReceives." },
  ])("of a world: $options", async ({ options, message }) => {
    const SimAwsWithoutTypes = SimAws as new (options: unknown) => SimAws;
    expect(await thrownBy(() => new SimAwsWithoutTypes(options))).toMatchObject({ name: "SimInvalidOption", message });
  });

  test("those that are left out are undefined as well", () => {
    expect(new SimAws({ clock: undefined, iam: undefined, startTime: undefined, seed: undefined, defaultAccountId: undefined, defaultRegionName: undefined } as object)).toMatchObject({ defaultAccountId: "888888888888" });
  });

  test.each<{ call: string; run: () => unknown; message: string }>([
    { call: "account()", run: () => untyped.account("12"), message: `The argument of account() is ${accountIds}; it was given as '12'.` },
    { call: "account() with a number", run: () => untyped.account(111111111111), message: `The argument of account() is ${accountIds}; it was given as 111111111111.` },
    { call: "region()", run: () => untyped.region(""), message: `The argument of region() is ${regions}; it was given as ''.` },
    { call: "region() of a scope", run: () => untyped.account("111111111111").region(), message: `The argument of region() is ${regions}; it was given as undefined.` },
    { call: "sdkConfig()", run: () => untyped.sdkConfig({ regionName: "eu-west-1" }), message: "sdkConfig() has no option regionName. The options there are: caller, region." },
    { call: "sdkConfig() with a wrong region", run: () => untyped.sdkConfig({ region: "EU" }), message: `region is ${regions}; it was given as 'EU'.` },
    { call: "runAs() without a function", run: () => untyped.runAs({ kind: "anonymous" }), message: "The second argument of runAs is the function to run; it was given as undefined." },
    { call: "log().filter()", run: () => untyped.log().filter({ messageId: "m" }), message: "log().filter() has no option messageId. The options there are: message, function, queue, stack, principal, kind." },
    { call: "log().filter() with a text", run: () => untyped.log().filter("m"), message: "log().filter() takes an object of options, not 'm'. The options there are: message, function, queue, stack, principal, kind." },
    { call: "new SimSdk()", run: () => new SimSdk(untyped), message: "new SimSdk() has no option defaultAccountId. The options there are: simAws." },
    { call: "new SimSdk() with another thing", run: () => new SimSdk({ simAws: {} as SimAws }), message: "simAws is a SimAws; it was given as {}." },
    { call: "serveSimAws()", run: () => serveSimAws({ port: "80" as unknown as number }), message: "port is a whole number from 0 to 65535; it was given as '80'." },
    { call: "deployTemplate()", run: () => untyped.cloudFormation().deployTemplate({ StackName: "s", TemplateBody: "{}" }), message: "deployTemplate() has no option StackName. The options there are: stackName, template, parameters, bindings, tags, strict, caller." },
    { call: "updateTemplate()", run: () => untyped.cloudFormation().updateTemplate(), message: "updateTemplate() takes an object of options, not undefined. The options there are: stackName, template, parameters, bindings, tags, strict, caller." },
    {
      call: "deployTemplate() with a binding of no function",
      run: () => untyped.cloudFormation().deployTemplate({ stackName: "s", template: {}, bindings: { Fn: "index.handler" } }),
      message: "The binding of Fn is a function, called with the event and the context; it was given as 'index.handler'.",
    },
    {
      call: "deployTemplate() with bindings that are no object",
      run: () => untyped.cloudFormation().deployTemplate({ stackName: "s", template: {}, bindings: new Map([["Fn", () => {}]]) }),
      message: "bindings is an object of handlers, by logical id, construct path or function name; it was given as Map(1) { 'Fn' => [Function (anonymous)] }.",
    },
    { call: "cdk().deploy()", run: () => untyped.cdk().deploy("cdk.out", { binding: {} }), message: "cdk().deploy() has no option binding. The options there are: bindings, parameters, stacks, strict, onStack." },
    { call: "cdk().deploy() of one stack", run: () => untyped.cdk().deploy("cdk.out", { stacks: "Orders" }), message: `stacks is a list of names such as ["Orders"]; it was given as 'Orders'.` },
  ])("of $call", async ({ run, message }) => {
    expect(await thrownBy(run)).toMatchObject({ name: "SimInvalidOption", message });
  });
});

describe("operations", () => {
  const takes = (operation: string, example: string, given: string): string => `${operation} takes the SDK's command, ${example}, or an object with its input, { input: { … } }; it was given ${given}.`;
  test.each<{ name: string; call: () => unknown; message: string }>([
    { name: "the input by itself", call: () => untyped.sqs().createQueue({ QueueName: "z" }), message: takes("sqs:CreateQueue", "new CreateQueueCommand({ QueueName: 'z' })", "{ QueueName: 'z' }") },
    { name: "nothing", call: () => untyped.sqs().createQueue(), message: takes("sqs:CreateQueue", "new CreateQueueCommand({ … })", "undefined") },
    { name: "a text", call: () => untyped.sqs().createQueue("z"), message: takes("sqs:CreateQueue", "new CreateQueueCommand({ … })", "'z'") },
    { name: "no input", call: () => untyped.sqs().listQueues({ input: null }), message: takes("sqs:ListQueues", "new ListQueuesCommand({ input: null })", "{ input: null }") },
    { name: "nothing, to a stack's deletion", call: () => untyped.cloudFormation().deleteStack(), message: takes("cloudformation:DeleteStack", "new DeleteStackCommand({ … })", "undefined") },
  ])("take a command: $name", async ({ call, message }) => {
    expect(await thrownBy(call)).toMatchObject({ name: "SimNoCommand", message });
    expect(simAws.log().records).toEqual([]);
  });

  test("messages() of no queue is AWS's error of a queue that is not there", async () => {
    expect(await thrownBy(() => simAws.sqs().messages(undefined))).toMatchObject({ name: "QueueDoesNotExist" });
  });

  test("take a command made without input", async () => {
    expect(await simAws.sqs().listQueues(new ListQueuesCommand())).toMatchObject({ $metadata: { httpStatusCode: 200 } });
  });

  test.each([
    { options: { principal: ROLE }, message: "A call of sqs:CreateQueue has no option principal. The options there are: caller, sourceArn, sourceAccount." },
    { options: ROLE, message: `A call of sqs:CreateQueue takes an object of options, not '${ROLE}'. The options there are: caller, sourceArn, sourceAccount.` },
  ])("take options of theirs: $options", async ({ options, message }) => {
    expect(await thrownBy(() => untyped.sqs().createQueue(new CreateQueueCommand({ QueueName: "q" }), options))).toMatchObject({ name: "SimInvalidOption", message });
    expect((await simAws.sqs().listQueues(new ListQueuesCommand({}))).QueueUrls).toBeUndefined();
  });
});

describe("callers", () => {
  const forms =
    'A caller is { kind: "arn", arn }, { kind: "service", service }, { kind: "credentials", credentials: { accessKeyId, secretAccessKey, sessionToken } } or { kind: "anonymous" }, and left out it is the account\'s root; it was given as ';
  const wrong: readonly { name: string; caller: unknown; given: string }[] = [
    { name: "an ARN by itself", caller: ROLE, given: `'${ROLE}'.` },
    { name: "another kind", caller: { kind: "role", arn: ROLE }, given: "an object with kind, arn of the kind 'role'." },
    { name: "no kind", caller: { arn: ROLE }, given: "an object with arn." },
    { name: "an ARN that is missing", caller: { kind: "arn" }, given: "an object with kind of the kind 'arn'." },
    { name: "a service that is missing", caller: { kind: "service", name: "sns" }, given: "an object with kind, name of the kind 'service'." },
    { name: "credentials that are missing", caller: { kind: "credentials", accessKeyId: "AKIA" }, given: "an object with kind, accessKeyId of the kind 'credentials'." },
    { name: "credentials by themselves, which are not shown", caller: { accessKeyId: "AKIA", secretAccessKey: "hidden" }, given: "an object with accessKeyId, secretAccessKey." },
    { name: "null", caller: null, given: "null." },
  ];
  const ways: readonly { way: string; use: (caller: any) => unknown }[] = [
    { way: "of a call", use: (caller) => simAws.sts().getCallerIdentity(new GetCallerIdentityCommand(), { caller }) },
    { way: "of runAs", use: (caller) => simAws.runAs(caller, () => undefined) },
    { way: "of sdkConfig", use: (caller) => simAws.sdkConfig({ caller }) },
    { way: "of a question to IAM", use: (caller) => simAws.iam().authorize({ action: "sqs:ListQueues", resource: "*", caller }) },
    { way: "of a deployment", use: (caller) => simAws.cloudFormation().deployTemplate({ stackName: "s", template: { Resources: { Q: { Type: "AWS::SQS::Queue" } } }, caller }) },
  ];
  test.each(ways.flatMap(({ way, use }) => wrong.map((row) => ({ ...row, way, use }))))("$way: $name", async ({ caller, given, use }) => {
    expect(await thrownBy(() => use(caller))).toMatchObject({ name: "SimUnknownCaller", message: forms + given });
    expect(simAws.log().records).toEqual([]);
  });

  test("nobody is not null: runAs takes a caller", async () => {
    expect(await thrownBy(() => untyped.runAs(undefined, () => undefined))).toMatchObject({ name: "SimUnknownCaller", message: `${forms}undefined.` });
  });
});
