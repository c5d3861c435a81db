import {
  AddPermissionCommand,
  CreateAliasCommand,
  CreateFunctionCommand,
  DeleteAliasCommand,
  DeleteEventSourceMappingCommand,
  DeleteFunctionCommand,
  GetAliasCommand,
  GetEventSourceMappingCommand,
  GetFunctionCommand,
  GetFunctionConfigurationCommand,
  GetPolicyCommand,
  InvokeCommand,
  LambdaClient,
  ListAliasesCommand,
  ListEventSourceMappingsCommand,
  ListFunctionsCommand,
  ListTagsCommand,
  ListVersionsByFunctionCommand,
  PublishVersionCommand,
  PutFunctionConcurrencyCommand,
  RemovePermissionCommand,
  UpdateAliasCommand,
  UpdateEventSourceMappingCommand,
  UpdateFunctionCodeCommand,
  UpdateFunctionConfigurationCommand,
} from "@aws-sdk/client-lambda";
import type { SimAws } from "sandstack";
import { makeLambdaCodeZip, makeLambdaZipFileInput } from "sandstack/lambda";
import { bodiesOf, counts, createCode, createHandler, createQueue, createRole, functionArn, functionWorld, invoke, map, queueArn, receive, ROLE, send } from "./function-world.js";

const ARN = functionArn("orders");

/** Code that answers what it is told of its version, and how often it ran in its environment. */
const source = (answer: string): string =>
  `let runs = 0;
   exports.handler = async (event, context) => ({
     answer: ${JSON.stringify(answer)}, runs: ++runs, stage: process.env.STAGE, version: context.functionVersion, arn: context.invokedFunctionArn,
     variable: process.env.AWS_LAMBDA_FUNCTION_VERSION, stream: context.logStreamName.replace(/[0-9a-f]{32}$/, "ID"),
   });`;

async function publish(simAws: SimAws, FunctionName = "orders"): Promise<string> {
  return (await simAws.lambda().publishVersion(new PublishVersionCommand({ FunctionName }))).Version!;
}

async function updateCode(simAws: SimAws, text: string): Promise<void> {
  await simAws.lambda().updateFunctionCode(new UpdateFunctionCodeCommand({ FunctionName: "orders", ZipFile: makeLambdaCodeZip(source(text)) }));
}

/** Version 1 says one, version 2 two, the latest three; alias live is for version 1. */
async function ordersWorld(): Promise<SimAws> {
  const simAws = await functionWorld();
  await createCode(simAws, "orders", source("one"), { Environment: { Variables: { STAGE: "first" } } });
  await publish(simAws);
  await updateCode(simAws, "two");
  await simAws.lambda().updateFunctionConfiguration(new UpdateFunctionConfigurationCommand({ FunctionName: "orders", Environment: { Variables: { STAGE: "second" } }, Timeout: 5 }));
  await publish(simAws);
  await updateCode(simAws, "three");
  await simAws.lambda().createAlias(new CreateAliasCommand({ FunctionName: "orders", Name: "live", FunctionVersion: "1" }));
  return simAws;
}

async function versionsOf(simAws: SimAws): Promise<(string | undefined)[]> {
  const { Versions = [] } = await simAws.lambda().listVersionsByFunction(new ListVersionsByFunctionCommand({ FunctionName: "orders" }));
  return Versions.map(({ Version }) => Version);
}

describe("versions", () => {
  test("are numbered snapshots: the same code and configuration make no second one", async () => {
    const simAws = await functionWorld();
    await createCode(simAws, "orders", source("one"), { Description: "takes orders" });
    const created = await simAws.lambda().getFunctionConfiguration(new GetFunctionConfigurationCommand({ FunctionName: "orders" }));
    const { $metadata, ...first } = await simAws.lambda().publishVersion(new PublishVersionCommand({ FunctionName: "orders", Description: "the first" }));
    expect($metadata.httpStatusCode).toBe(201);
    expect(first).toMatchObject({ FunctionArn: `${ARN}:1`, Version: "1", Description: "the first", CodeSha256: created.CodeSha256, State: "Active", LastUpdateStatus: "Successful" });
    expect(first.RevisionId).not.toBe(created.RevisionId);
    const again = await simAws.lambda().publishVersion(new PublishVersionCommand({ FunctionName: "orders", Description: "another" }));
    expect(again).toMatchObject({ FunctionArn: `${ARN}:1`, Version: "1", Description: "the first", State: "Active", LastUpdateStatus: "Successful" });

    await simAws.lambda().updateFunctionCode(new UpdateFunctionCodeCommand({ FunctionName: "orders", ZipFile: makeLambdaCodeZip(source("one")) }));
    expect(await publish(simAws)).toBe("1");
    await simAws.lambda().updateFunctionConfiguration(new UpdateFunctionConfigurationCommand({ FunctionName: "orders", Description: "still takes orders" }));
    expect(await publish(simAws)).toBe("2");
    await simAws.lambda().updateFunctionConfiguration(new UpdateFunctionConfigurationCommand({ FunctionName: "orders", MemorySize: 512 }));
    expect(await publish(simAws)).toBe("3");

    await simAws.lambda().deleteFunction(new DeleteFunctionCommand({ FunctionName: "orders", Qualifier: "3" }));
    expect(await versionsOf(simAws)).toEqual(["$LATEST", "1", "2"]);
    expect(await publish(simAws)).toBe("4");
    expect(simAws.log().filter({ function: "orders" }).toString()).toContain("Version 4 of function orders was published.");
  });

  test("keep code and configuration when the function changes", async () => {
    const simAws = await ordersWorld();
    const run = async (FunctionName: string): Promise<object> => (await invoke(simAws, FunctionName)).result as object;
    expect(await run("orders:1")).toEqual({ answer: "one", runs: 1, stage: "first", version: "1", arn: `${ARN}:1`, variable: "1", stream: "2026/01/01/[1]ID" });
    expect(await run("orders:2")).toEqual({ answer: "two", runs: 1, stage: "second", version: "2", arn: `${ARN}:2`, variable: "2", stream: "2026/01/01/[2]ID" });
    expect(await run("orders")).toMatchObject({ answer: "three", runs: 1, version: "$LATEST", arn: ARN, variable: "$LATEST", stream: "2026/01/01/[$LATEST]ID" });
    // An alias runs in the environments of its version.
    expect(await run("orders:live")).toMatchObject({ answer: "one", runs: 2, version: "1", arn: `${ARN}:live` });
    expect((await invoke(simAws, "orders:live")).log).toMatch(/^START RequestId: [0-9a-f-]{36} Version: 1\n/);
    // Publishing leaves warm environments alone.
    await publish(simAws);
    expect(await run("orders")).toMatchObject({ runs: 2 });
    expect(await simAws.lambda().getFunctionConfiguration(new GetFunctionConfigurationCommand({ FunctionName: "orders", Qualifier: "live" }))).toMatchObject({
      FunctionArn: `${ARN}:live`,
      Version: "1",
      Timeout: 3,
      Environment: { Variables: { STAGE: "first" } },
    });
  });

  test.each([
    { name: "CreateFunction", version: "1", arn: ARN },
    { name: "UpdateFunctionCode", version: "2", arn: `${ARN}:2` },
  ])("are published by $name with Publish", async ({ name, version, arn }) => {
    const simAws = await functionWorld();
    const created = await simAws.lambda().createFunction(new CreateFunctionCommand({ FunctionName: "orders", Role: ROLE, Runtime: "nodejs22.x", Handler: "index.handler", Code: { ZipFile: makeLambdaCodeZip(source("one")) }, Publish: true }));
    const published = name === "CreateFunction" ? created : await simAws.lambda().updateFunctionCode(new UpdateFunctionCodeCommand({ FunctionName: "orders", ZipFile: makeLambdaCodeZip(source("two")), Publish: true }));
    expect(published).toMatchObject({ Version: version, FunctionArn: arn, State: "Pending", StateReasonCode: "Creating" });
    expect(await versionsOf(simAws)).toEqual(["$LATEST", ...["1", "2"].slice(0, Number(version))]);
  });

  test("are listed in pages, under their own ARNs and without states", async () => {
    const simAws = await ordersWorld();
    const { Versions: [latest] = [], NextMarker } = await simAws.lambda().listVersionsByFunction(new ListVersionsByFunctionCommand({ FunctionName: "orders", MaxItems: 1 }));
    expect(latest).toMatchObject({ FunctionArn: `${ARN}:$LATEST`, Version: "$LATEST" });
    expect(latest).not.toHaveProperty("State");
    const rest = await simAws.lambda().listVersionsByFunction(new ListVersionsByFunctionCommand({ FunctionName: "orders", Marker: NextMarker }));
    expect(rest.Versions?.map(({ FunctionArn }) => FunctionArn)).toEqual([`${ARN}:1`, `${ARN}:2`]);
    expect(rest.NextMarker).toBeUndefined();
    const all = await simAws.lambda().listFunctions(new ListFunctionsCommand({ FunctionVersion: "ALL" }));
    expect(all.Functions?.map(({ FunctionArn }) => FunctionArn)).toEqual([`${ARN}:$LATEST`, `${ARN}:1`, `${ARN}:2`]);
  });

  test.each([
    { name: "another revision", input: { RevisionId: "other" }, error: "PreconditionFailedException", message: /^The Revision Id provided does not match the latest Revision Id\./ },
    { name: "other code", input: { CodeSha256: "abc" }, error: "InvalidParameterValueException", message: /^CodeSHA256 \(abc\) is different from current CodeSHA256 in \$LATEST \(.{44}\)\. Please try again with the CodeSHA256 in \$LATEST\.$/ },
    { name: "no such function", input: { FunctionName: "none" }, error: "ResourceNotFoundException", message: /^Function not found: arn:aws:lambda:us-east-1:888888888888:function:none$/ },
  ])("are not published for $name", async ({ input, error, message }) => {
    const simAws = await ordersWorld();
    await expect(simAws.lambda().publishVersion(new PublishVersionCommand({ FunctionName: "orders", ...input }))).rejects.toMatchObject({ name: error, message: expect.stringMatching(message) });
    expect(await versionsOf(simAws)).toEqual(["$LATEST", "1", "2"]);
  });

  test.each([
    { qualifier: "$LATEST", error: "InvalidParameterValueException", message: "$LATEST version cannot be deleted without deleting the function." },
    { qualifier: "live", error: "InvalidParameterValueException", message: "Deletion of aliases is not currently supported." },
    { qualifier: "1", error: "ResourceConflictException", message: "Unable to delete version because the following aliases reference it: [live]" },
  ])("deleting $qualifier is refused", async ({ qualifier, error, message }) => {
    const simAws = await ordersWorld();
    await expect(simAws.lambda().deleteFunction(new DeleteFunctionCommand({ FunctionName: "orders", Qualifier: qualifier }))).rejects.toMatchObject({ name: error, message });
    expect(await versionsOf(simAws)).toEqual(["$LATEST", "1", "2"]);
  });

  test("go one by one, and all with their function", async () => {
    const simAws = await ordersWorld();
    await simAws.lambda().deleteFunction(new DeleteFunctionCommand({ FunctionName: `${ARN}:2` }));
    await simAws.lambda().deleteFunction(new DeleteFunctionCommand({ FunctionName: "orders", Qualifier: "2" }));
    expect(await versionsOf(simAws)).toEqual(["$LATEST", "1"]);
    await simAws.lambda().deleteFunction(new DeleteFunctionCommand({ FunctionName: "orders" }));
    await expect(invoke(simAws, "orders:live")).rejects.toMatchObject({ name: "ResourceNotFoundException", message: `Function not found: ${ARN}:live` });
    await createCode(simAws, "orders", source("anew"));
    await expect(invoke(simAws, "orders:1")).rejects.toMatchObject({ name: "ResourceNotFoundException" });
    expect(await publish(simAws)).toBe("1");
  });
});

describe("aliases", () => {
  test("are made, found, listed, moved and deleted", async () => {
    const simAws = await ordersWorld();
    const { $metadata, ...blue } = await simAws.lambda().createAlias(new CreateAliasCommand({ FunctionName: "orders", Name: "blue", FunctionVersion: "$LATEST", Description: "next" }));
    expect($metadata.httpStatusCode).toBe(201);
    expect(blue).toEqual({ AliasArn: `${ARN}:blue`, Name: "blue", FunctionVersion: "$LATEST", Description: "next", RevisionId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(await simAws.lambda().getAlias(new GetAliasCommand({ FunctionName: ARN, Name: "blue" }))).toMatchObject(blue);

    const moved = await simAws.lambda().updateAlias(new UpdateAliasCommand({ FunctionName: "orders", Name: "blue", FunctionVersion: "2", RevisionId: blue.RevisionId }));
    expect(moved).toMatchObject({ FunctionVersion: "2", Description: "next" });
    expect(moved.RevisionId).not.toBe(blue.RevisionId);
    expect((await invoke(simAws, "orders:blue")).result).toMatchObject({ answer: "two" });

    const list = async (more: { FunctionVersion?: string; MaxItems?: number; Marker?: string }): Promise<object> => {
      const { Aliases = [], NextMarker } = await simAws.lambda().listAliases(new ListAliasesCommand({ FunctionName: "orders", ...more }));
      return { names: Aliases.map(({ Name }) => Name), NextMarker };
    };
    expect(await list({})).toEqual({ names: ["blue", "live"], NextMarker: undefined });
    expect(await list({ FunctionVersion: "1" })).toEqual({ names: ["live"], NextMarker: undefined });
    expect(await list({ MaxItems: 1 })).toEqual({ names: ["blue"], NextMarker: "blue" });
    expect(await list({ Marker: "blue" })).toEqual({ names: ["live"], NextMarker: undefined });

    for (let times = 0; times < 2; times += 1) await simAws.lambda().deleteAlias(new DeleteAliasCommand({ FunctionName: "orders", Name: "blue" }));
    await expect(simAws.lambda().getAlias(new GetAliasCommand({ FunctionName: "orders", Name: "blue" }))).rejects.toMatchObject({
      name: "ResourceNotFoundException",
      message: `Cannot find alias arn: ${ARN}:blue`,
      Type: "User",
    });
    expect(await versionsOf(simAws)).toEqual(["$LATEST", "1", "2"]);
  });

  test.each([
    { name: "a name that is taken", input: { Name: "live", FunctionVersion: "2" }, error: "ResourceConflictException", message: `Alias already exists: ${ARN}:live` },
    { name: "no function", input: { FunctionName: "none", Name: "blue", FunctionVersion: "1" }, error: "ResourceNotFoundException", message: `Function not found: ${functionArn("none")}:1` },
    { name: "a version that is not there", input: { Name: "blue", FunctionVersion: "9" }, error: "ResourceNotFoundException", message: `Function not found: ${ARN}:9` },
    {
      name: "a number for a name",
      input: { Name: "12", FunctionVersion: "1" },
      error: "ValidationException",
      message: "1 validation error detected: Value '12' at 'name' failed to satisfy constraint: Member must satisfy regular expression pattern: (?!^[0-9]+$)([a-zA-Z0-9-_]+)",
    },
    {
      name: "an alias for a version",
      input: { Name: "blue", FunctionVersion: "live" },
      error: "ValidationException",
      message: "1 validation error detected: Value 'live' at 'functionVersion' failed to satisfy constraint: Member must satisfy regular expression pattern: (\\$LATEST|[0-9]+)",
    },
    { name: "weights", input: { Name: "blue", FunctionVersion: "1", RoutingConfig: { AdditionalVersionWeights: { "2": 0.1 } } }, error: "SimUnsupported", message: expect.stringContaining("alias blue has RoutingConfig.AdditionalVersionWeights") },
  ])("are not made with $name", async ({ input, error, message }) => {
    const simAws = await ordersWorld();
    await expect(simAws.lambda().createAlias(new CreateAliasCommand({ FunctionName: "orders", ...input }))).rejects.toMatchObject({ name: error, message });
    expect((await simAws.lambda().listAliases(new ListAliasesCommand({ FunctionName: "orders" }))).Aliases).toHaveLength(1);
  });

  test.each([
    { name: "an alias that is not there", input: { Name: "blue" }, error: "ResourceNotFoundException", message: `Cannot find alias arn: ${ARN}:blue` },
    { name: "a version that is not there", input: { Name: "live", FunctionVersion: "9" }, error: "ResourceNotFoundException", message: `Function not found: ${ARN}:9` },
    { name: "another revision", input: { Name: "live", RevisionId: "other" }, error: "PreconditionFailedException", message: expect.stringMatching(/^The Revision Id provided does not match the latest Revision Id\./) },
  ])("are not updated for $name", async ({ input, error, message }) => {
    const simAws = await ordersWorld();
    await expect(simAws.lambda().updateAlias(new UpdateAliasCommand({ FunctionName: "orders", Description: "changed", ...input }))).rejects.toMatchObject({ name: error, message });
    expect(await simAws.lambda().getAlias(new GetAliasCommand({ FunctionName: "orders", Name: "live" }))).toMatchObject({ FunctionVersion: "1", Description: "" });
  });
});

describe("qualifiers", () => {
  test.each(["orders:live", "888888888888:function:orders:live", `${ARN}:live`])("%s names the alias in every operation", async (FunctionName) => {
    const simAws = await ordersWorld();
    const answer = await simAws.lambda().invoke(new InvokeCommand({ FunctionName }));
    expect(answer).toMatchObject({ StatusCode: 200, ExecutedVersion: "1" });
    expect(JSON.parse(Buffer.from(answer.Payload!).toString())).toMatchObject({ answer: "one", arn: `${ARN}:live` });
    expect((await simAws.lambda().getFunction(new GetFunctionCommand({ FunctionName }))).Configuration).toMatchObject({ FunctionArn: `${ARN}:live`, Version: "1" });
  });

  test.each(["9", "blue"])("%s, which is neither version nor alias, is not found", async (Qualifier) => {
    const simAws = await ordersWorld();
    const notFound = { name: "ResourceNotFoundException", message: `Function not found: ${ARN}:${Qualifier}`, $metadata: { httpStatusCode: 404 } };
    await expect(simAws.lambda().invoke(new InvokeCommand({ FunctionName: "orders", Qualifier }))).rejects.toMatchObject(notFound);
    await expect(simAws.lambda().getFunction(new GetFunctionCommand({ FunctionName: "orders", Qualifier }))).rejects.toMatchObject(notFound);
    await expect(simAws.lambda().getFunctionConfiguration(new GetFunctionConfigurationCommand({ FunctionName: "orders", Qualifier }))).rejects.toMatchObject(notFound);
    const message = Qualifier === "9" ? notFound.message : `Cannot find alias arn: ${ARN}:blue`;
    await expect(simAws.lambda().getPolicy(new GetPolicyCommand({ FunctionName: "orders", Qualifier }))).rejects.toMatchObject({ name: "ResourceNotFoundException", message });
  });

  test("are refused where only a function will do", async () => {
    const simAws = await ordersWorld();
    await expect(simAws.lambda().putFunctionConcurrency(new PutFunctionConcurrencyCommand({ FunctionName: "orders:live", ReservedConcurrentExecutions: 1 }))).rejects.toMatchObject({
      name: "InvalidParameterValueException",
      message: expect.stringMatching(/^This operation is permitted on Lambda functions only\. Aliases and versions do not support this operation\./),
    });
    await expect(simAws.lambda().listTags(new ListTagsCommand({ Resource: `${ARN}:live` }))).rejects.toMatchObject({ name: "InvalidParameterValueException", message: "Tags on function aliases and versions are not supported. Please specify a function ARN." });
  });

  test("an asynchronous event runs the version its alias points to when it is tried", async () => {
    const simAws = await functionWorld();
    const ran: string[] = [];
    await createHandler(simAws, "orders", (_event, { functionVersion, invokedFunctionArn }) => void ran.push(`${functionVersion} ${invokedFunctionArn}`));
    await publish(simAws);
    await simAws.lambda().createAlias(new CreateAliasCommand({ FunctionName: "orders", Name: "live", FunctionVersion: "1" }));
    await simAws.lambda().invoke(new InvokeCommand({ FunctionName: "orders:live", InvocationType: "Event" }));
    await simAws.backgroundTasksComplete();
    await simAws.lambda().invoke(new InvokeCommand({ FunctionName: "orders:live", InvocationType: "Event" }));
    await simAws.lambda().deleteAlias(new DeleteAliasCommand({ FunctionName: "orders", Name: "live" }));
    await simAws.backgroundTasksComplete();
    expect(ran).toEqual([`1 ${ARN}:live`]);
    expect(simAws.log().filter({ kind: "lambda.event.discarded" }).toString()).toContain("its function has no version or alias live any more");
  });
});

test("a function, its versions and its aliases have resource policies of their own", async () => {
  const simAws = await ordersWorld();
  await createHandler(simAws, "other", () => 1);
  const other = "111111111111";
  const allow = (Qualifier?: string): Promise<unknown> => simAws.lambda().addPermission(new AddPermissionCommand({ FunctionName: "orders", Qualifier, StatementId: "s", Action: "lambda:InvokeFunction", Principal: other }));
  const call = (FunctionName: string): Promise<unknown> => simAws.account(other).lambda().invoke(new InvokeCommand({ FunctionName }));
  const policy = async (Qualifier?: string): Promise<object[]> => JSON.parse((await simAws.lambda().getPolicy(new GetPolicyCommand({ FunctionName: "orders", Qualifier }))).Policy!).Statement;

  const before = await simAws.lambda().getAlias(new GetAliasCommand({ FunctionName: "orders", Name: "live" }));
  await allow("live");
  expect((await simAws.lambda().getAlias(new GetAliasCommand({ FunctionName: "orders", Name: "live" }))).RevisionId).not.toBe(before.RevisionId);
  await expect(call(`${ARN}:live`)).resolves.toMatchObject({ ExecutedVersion: "1" });
  await expect(call(ARN)).rejects.toMatchObject({ name: "AccessDeniedException" });
  await expect(call(`${ARN}:1`)).rejects.toMatchObject({ name: "AccessDeniedException" });
  await allow();
  await expect(call(ARN)).resolves.toMatchObject({ ExecutedVersion: "$LATEST" });
  await expect(call(`${ARN}:1`)).rejects.toMatchObject({ name: "AccessDeniedException" });
  expect(await policy("live")).toMatchObject([{ Resource: `${ARN}:live` }]);
  expect(await policy()).toMatchObject([{ Resource: ARN }]);

  await expect(allow("$LATEST")).rejects.toMatchObject({ name: "InvalidParameterValueException", message: "We currently do not support adding policies for $LATEST." });
  await expect(allow("live")).rejects.toMatchObject({ name: "ResourceConflictException" });
  await simAws.lambda().removePermission(new RemovePermissionCommand({ FunctionName: "orders", Qualifier: "live", StatementId: "s" }));
  await expect(call(`${ARN}:live`)).rejects.toMatchObject({ name: "AccessDeniedException" });
  await expect(policy("live")).rejects.toMatchObject({ name: "ResourceNotFoundException", message: "The resource you requested does not exist." });
  const removal = simAws.lambda().removePermission(new RemovePermissionCommand({ FunctionName: "orders", Qualifier: "live", StatementId: "s" }));
  await expect(removal).rejects.toMatchObject({ name: "ResourceNotFoundException", message: "No policy is associated with the given resource." });
  expect(await policy()).toHaveLength(1);
});

describe("an event source mapping", () => {
  test("feeds the version its alias points to, by that version's code, role and settings", async () => {
    const simAws = await functionWorld();
    await createRole(simAws, "next", ["sqs:*"]);
    await createQueue(simAws, "incoming");
    const batches: string[] = [];
    const handler = (name: string) => (event: { Records: readonly { body: string }[] }, { functionVersion, invokedFunctionArn }: { functionVersion: string; invokedFunctionArn: string }) =>
      void batches.push([name, functionVersion, invokedFunctionArn, ...bodiesOf(event)].join(" "));
    await createHandler(simAws, "orders", handler("first"));
    await publish(simAws);
    await simAws.lambda().createAlias(new CreateAliasCommand({ FunctionName: "orders", Name: "live", FunctionVersion: "1" }));
    const UUID = await map(simAws, `${ARN}:live`, "incoming");
    expect(await simAws.lambda().getEventSourceMapping(new GetEventSourceMappingCommand({ UUID }))).toMatchObject({ FunctionArn: `${ARN}:live` });
    await simAws.lambda().updateFunctionCode(new UpdateFunctionCodeCommand({ FunctionName: "orders", ZipFile: makeLambdaZipFileInput(handler("second")) }));
    await simAws.lambda().updateFunctionConfiguration(new UpdateFunctionConfigurationCommand({ FunctionName: "orders", Role: ROLE.replace("consumer", "next") }));

    await send(simAws, "incoming", "A-1");
    await simAws.backgroundTasksComplete();
    expect(batches).toEqual([`first 1 ${ARN}:live A-1`]);
    const polls = (): (string | undefined)[] => simAws.log().filter({ kind: "sqs.message.received" }).records.map(({ principal }) => principal);
    expect(polls().at(-1)).toContain("assumed-role/consumer/orders");

    await publish(simAws);
    await simAws.lambda().updateAlias(new UpdateAliasCommand({ FunctionName: "orders", Name: "live", FunctionVersion: "2" }));
    await send(simAws, "incoming", "A-2");
    await simAws.backgroundTasksComplete();
    expect(batches.slice(1)).toEqual([`second 2 ${ARN}:live A-2`]);
    expect(polls().at(-1)).toContain("assumed-role/next/orders");
    expect(await counts(simAws, "incoming")).toEqual({ visible: 0, inFlight: 0 });
    expect(simAws.log().filter({ kind: "lambda.invocation.started" }).toString()).toContain("Function orders, version 2, was invoked with message ");
  });

  test("names its function with or without a qualifier, each once for a queue", async () => {
    const simAws = await ordersWorld();
    await createQueue(simAws, "incoming");
    const forAlias = await map(simAws, "orders:live", "incoming");
    const forVersion = await map(simAws, `${ARN}:1`, "incoming");
    const forLatest = await map(simAws, "orders", "incoming");
    await expect(map(simAws, `${ARN}:live`, "incoming")).rejects.toMatchObject({
      name: "ResourceConflictException",
      message: `An event source mapping with SQS arn (" ${queueArn("incoming")} ") and function (" orders ") already exists. Please update or delete the existing mapping with UUID ${forAlias}`,
    });
    for (const FunctionName of ["orders:blue", "orders:9", "none"]) {
      await expect(map(simAws, FunctionName, "incoming")).rejects.toMatchObject({ name: "InvalidParameterValueException", message: "Function does not exist" });
    }
    const list = async (FunctionName: string): Promise<(string | undefined)[]> =>
      (await simAws.lambda().listEventSourceMappings(new ListEventSourceMappingsCommand({ FunctionName }))).EventSourceMappings!.map(({ UUID }) => UUID);
    expect(await list("orders")).toEqual([forAlias, forVersion, forLatest]);
    expect(await list("orders:live")).toEqual([forAlias]);

    await simAws.lambda().deleteEventSourceMapping(new DeleteEventSourceMappingCommand({ UUID: forVersion }));
    const updated = await simAws.lambda().updateEventSourceMapping(new UpdateEventSourceMappingCommand({ UUID: forAlias, FunctionName: "orders:2" }));
    expect(updated.FunctionArn).toBe(`${ARN}:2`);
    expect((await simAws.lambda().updateEventSourceMapping(new UpdateEventSourceMappingCommand({ UUID: forAlias, BatchSize: 5 }))).FunctionArn).toBe(`${ARN}:2`);
  });

  test("looks at the timeout of its version, not of the latest", async () => {
    const simAws = await functionWorld();
    await createQueue(simAws, "incoming", { VisibilityTimeout: "30" });
    await createHandler(simAws, "orders", () => 1, { Timeout: 31 });
    await publish(simAws);
    await simAws.lambda().updateFunctionConfiguration(new UpdateFunctionConfigurationCommand({ FunctionName: "orders", Timeout: 30 }));
    await expect(map(simAws, "orders:1", "incoming")).rejects.toMatchObject({ message: "Queue visibility timeout: 30 seconds is less than Function timeout: 31 seconds" });
    await expect(map(simAws, "orders", "incoming")).resolves.toBeDefined();
  });

  test("cannot work without its alias, and says so; the messages stay", async () => {
    const simAws = await functionWorld();
    await createQueue(simAws, "incoming");
    await createHandler(simAws, "orders", () => 1);
    await publish(simAws);
    await simAws.lambda().createAlias(new CreateAliasCommand({ FunctionName: "orders", Name: "live", FunctionVersion: "1" }));
    await map(simAws, "orders:live", "incoming");
    await simAws.lambda().deleteAlias(new DeleteAliasCommand({ FunctionName: "orders", Name: "live" }));
    await send(simAws, "incoming", "A-1");
    await simAws.backgroundTasksComplete();
    expect((await receive(simAws, "incoming")).map(({ Body }) => Body)).toEqual(["A-1"]);
    expect(simAws.log().filter({ kind: "lambda.mapping.failed" }).toString()).toContain(`The mapping of function orders:live to queue incoming cannot work: ResourceNotFoundException: Function not found: ${ARN}:live`);
  });
});

describe("a template's version", () => {
  const resources = (properties: object, ...versions: readonly string[]): object => ({
    Resources: {
      Fn: { Type: "AWS::Lambda::Function", Properties: { FunctionName: "orders", Code: { ZipFile: source("one") }, Handler: "index.handler", Runtime: "nodejs22.x", Role: ROLE, ...properties } },
      ...Object.fromEntries(versions.map((logicalId) => [logicalId, { Type: "AWS::Lambda::Version", DeletionPolicy: "Retain", Properties: { FunctionName: { Ref: "Fn" } } }])),
    },
  });

  test.each([
    { name: "layers", properties: { Layers: ["arn:aws:lambda:us-east-1:888888888888:layer:shared:1"] } },
    { name: "a network", properties: { VpcConfig: { SubnetIds: ["subnet-1"], SecurityGroupIds: ["sg-1"] } } },
    { name: "tracing", properties: { TracingConfig: { Mode: "Active" } } },
    { name: "a key", properties: { KmsKeyArn: "arn:aws:kms:us-east-1:888888888888:key/one" } },
    { name: "a log group", properties: { LoggingConfig: { LogGroup: "/orders" } } },
    { name: "a description", properties: { Description: "takes orders" } },
  ])("is another when its function gains or loses $name", async ({ properties }) => {
    const simAws = await functionWorld();
    const template = (given: object, ...versions: string[]) => ({ stackName: "s", template: resources(given, ...versions) });
    await (await simAws.cloudFormation().deployTemplate(template({}, "First"))).waitForDeployComplete();
    const { $metadata: _before, RevisionId: _revision, LastModified: _modified, ...before } = await simAws.lambda().getFunctionConfiguration(new GetFunctionConfigurationCommand({ FunctionName: "orders" }));
    await (await simAws.cloudFormation().updateTemplate(template(properties, "Second"))).waitForDeployComplete();
    const stack = await simAws.cloudFormation().updateTemplate(template({}, "Third"));
    await stack.waitForDeployComplete();
    expect(stack.getResource("Third")).toMatchObject({ physicalId: `${ARN}:3`, attributes: { Version: "3" } });
    expect(await versionsOf(simAws)).toEqual(["$LATEST", "1", "2", "3"]);
    expect(await simAws.lambda().getFunctionConfiguration(new GetFunctionConfigurationCommand({ FunctionName: "orders" }))).toMatchObject(before);
  });

  test("is refused where the function has not changed since the version of another", async () => {
    const simAws = await functionWorld();
    const stack = await simAws.cloudFormation().deployTemplate({ stackName: "s", template: resources({}, "First") });
    await stack.waitForDeployComplete();
    const update = await simAws.cloudFormation().updateTemplate({ stackName: "s", template: resources({ Tags: [{ Key: "team", Value: "orders" }] }, "First", "Second") });
    await expect(update.waitForDeployComplete()).rejects.toMatchObject({ name: "ResourceConflictException", message: expect.stringMatching(/^A version for this Lambda function exists \( 1 \)\. Modify the function to create a new version\./) });
    expect(stack.events.find(({ ResourceStatus }) => ResourceStatus === "CREATE_FAILED")?.ResourceStatusReason).toMatch(
      /^Resource handler returned message: "A version for this Lambda function exists \( 1 \)\. Modify the function to create a new version\." \(RequestToken: .*, HandlerErrorCode: AlreadyExists\)$/,
    );
    expect(await versionsOf(simAws)).toEqual(["$LATEST", "1"]);
  });
});

test("a client of the SDK reaches them by its own requests", async () => {
  const simAws = await ordersWorld();
  const client = new LambdaClient(simAws.sdkConfig());
  expect(await client.send(new UpdateFunctionCodeCommand({ FunctionName: "orders", ZipFile: makeLambdaCodeZip(source("four")), Publish: true }))).toMatchObject({ Version: "3" });
  expect(await client.send(new PublishVersionCommand({ FunctionName: "orders" }))).toMatchObject({ Version: "3", $metadata: { httpStatusCode: 201 } });
  expect((await client.send(new ListVersionsByFunctionCommand({ FunctionName: "orders" }))).Versions).toHaveLength(4);
  expect(await client.send(new CreateAliasCommand({ FunctionName: "orders", Name: "blue", FunctionVersion: "3" }))).toMatchObject({ AliasArn: `${ARN}:blue`, $metadata: { httpStatusCode: 201 } });
  expect(await client.send(new UpdateAliasCommand({ FunctionName: "orders", Name: "blue", Description: "next" }))).toMatchObject({ Description: "next", FunctionVersion: "3" });
  expect(await client.send(new GetAliasCommand({ FunctionName: ARN, Name: "blue" }))).toMatchObject({ Name: "blue" });
  expect((await client.send(new ListAliasesCommand({ FunctionName: "orders", FunctionVersion: "3" }))).Aliases).toHaveLength(1);
  expect((await client.send(new InvokeCommand({ FunctionName: "orders", Qualifier: "blue" }))).ExecutedVersion).toBe("3");
  expect((await client.send(new GetFunctionCommand({ FunctionName: `${ARN}:blue` }))).Configuration).toMatchObject({ Version: "3" });
  expect((await client.send(new DeleteAliasCommand({ FunctionName: "orders", Name: "blue" }))).$metadata.httpStatusCode).toBe(204);
  await client.send(new DeleteFunctionCommand({ FunctionName: "orders", Qualifier: "3" }));
  expect(await versionsOf(simAws)).toEqual(["$LATEST", "1", "2"]);
  await expect(client.send(new GetAliasCommand({ FunctionName: "orders", Name: "blue" }))).rejects.toMatchObject({ name: "ResourceNotFoundException", message: `Cannot find alias arn: ${ARN}:blue` });
});
