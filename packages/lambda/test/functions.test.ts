import {
  AddPermissionCommand,
  CreateFunctionCommand,
  DeleteFunctionCommand,
  GetFunctionCommand,
  GetFunctionConfigurationCommand,
  GetPolicyCommand,
  InvokeCommand,
  LambdaClient,
  ListFunctionsCommand,
  ListTagsCommand,
  PutFunctionConcurrencyCommand,
  RemovePermissionCommand,
  ResourceNotFoundException,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateFunctionCodeCommand,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionActiveV2,
  type CreateFunctionCommandInput,
} from "@aws-sdk/client-lambda";
import { CreateUserCommand, PutUserPolicyCommand } from "@aws-sdk/client-iam";
import { SimAws } from "sandstack";
import { makeLambdaCodeZip, makeLambdaZipFileInput, SimLambdaInvalidParameterValueException, SimLambdaResourceNotFoundException } from "sandstack/lambda";
import { ACCOUNT, createCode, createHandler, createRole, functionArn, functionWorld, invoke, ROLE } from "./function-world.js";

const CODE = makeLambdaCodeZip("exports.handler = async () => 1;");

test("a function answers Pending at its creation and is Active at the next look", async () => {
  const simAws = await functionWorld();
  const created = await simAws.lambda().createFunction(
    new CreateFunctionCommand({ FunctionName: "orders", Role: ROLE, Runtime: "nodejs22.x", Handler: "index.handler", Code: { ZipFile: CODE }, Environment: { Variables: { TABLE: "t" } }, Tags: { team: "a" } }),
  );
  expect(created).toEqual({
    $metadata: expect.objectContaining({ httpStatusCode: 201 }),
    FunctionName: "orders",
    FunctionArn: functionArn("orders"),
    Runtime: "nodejs22.x",
    Role: ROLE,
    Handler: "index.handler",
    CodeSize: CODE.length,
    CodeSha256: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
    Description: "",
    Timeout: 3,
    MemorySize: 128,
    LastModified: "2026-01-01T00:00:00.000+0000",
    Version: "$LATEST",
    Environment: { Variables: { TABLE: "t" } },
    TracingConfig: { Mode: "PassThrough" },
    RevisionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    State: "Pending",
    StateReason: "The function is being created.",
    StateReasonCode: "Creating",
    PackageType: "Zip",
    Architectures: ["x86_64"],
    EphemeralStorage: { Size: 512 },
    SnapStart: { ApplyOn: "None", OptimizationStatus: "Off" },
    LoggingConfig: { LogFormat: "Text", LogGroup: "/aws/lambda/orders" },
  });
  const found = await simAws.lambda().getFunction(new GetFunctionCommand({ FunctionName: functionArn("orders") }));
  expect(found.Configuration).toMatchObject({ State: "Active", LastUpdateStatus: "Successful", CodeSha256: created.CodeSha256 });
  expect(found.Tags).toEqual({ team: "a" });
  await waitUntilFunctionActiveV2({ client: new LambdaClient(simAws.sdkConfig()), maxWaitTime: 5 }, { FunctionName: "orders" });
});

test("functions are found by name, partial and full ARN, with $LATEST or none", async () => {
  const simAws = await functionWorld();
  await createHandler(simAws, "orders", () => 1);
  for (const qualifier of ["", ":$LATEST"]) {
    for (const name of ["orders", `${ACCOUNT}:function:orders`, functionArn("orders")]) {
      const configuration = await simAws.lambda().getFunctionConfiguration(new GetFunctionConfigurationCommand({ FunctionName: name + qualifier }));
      expect(configuration.FunctionArn).toBe(functionArn("orders") + qualifier);
    }
  }
  const otherRegion = simAws.lambda().getFunction(new GetFunctionCommand({ FunctionName: functionArn("orders").replace("us-east-1", "eu-west-1") }));
  await expect(otherRegion).rejects.toMatchObject({ name: "ResourceNotFoundException", message: "Functions from 'eu-west-1' are not reachable in this region ('us-east-1')" });
});

test("the list of functions goes by name, a page at a time", async () => {
  const simAws = await functionWorld();
  for (const name of ["c", "a", "b"]) await createHandler(simAws, name, () => 1);
  const first = await simAws.lambda().listFunctions(new ListFunctionsCommand({ MaxItems: 2 }));
  expect(first.Functions?.map(({ FunctionName }) => FunctionName)).toEqual(["a", "b"]);
  const second = await simAws.lambda().listFunctions(new ListFunctionsCommand({ MaxItems: 2, Marker: first.NextMarker }));
  expect(second.Functions?.map(({ FunctionName }) => FunctionName)).toEqual(["c"]);
  expect(second.NextMarker).toBeUndefined();
});

describe("what is refused at creation, changing nothing", () => {
  const valid: CreateFunctionCommandInput = { FunctionName: "fn", Role: ROLE, Runtime: "nodejs22.x", Handler: "index.handler", Code: { ZipFile: CODE } };
  const atLeast = (member: string, value: unknown, least: number): string =>
    `1 validation error detected: Value '${String(value)}' at '${member}' failed to satisfy constraint: Member must have value greater than or equal to ${least}`;
  const atMost = (member: string, value: unknown, most: number): string =>
    `1 validation error detected: Value '${String(value)}' at '${member}' failed to satisfy constraint: Member must have value less than or equal to ${most}`;

  test.each<{ name: string; input: Partial<CreateFunctionCommandInput>; error: string; message: string }>([
    { name: "a timeout of 0", input: { Timeout: 0 }, error: "ValidationException", message: atLeast("timeout", 0, 1) },
    { name: "a timeout of 901", input: { Timeout: 901 }, error: "ValidationException", message: atMost("timeout", 901, 900) },
    { name: "a memory of 127", input: { MemorySize: 127 }, error: "ValidationException", message: atLeast("memorySize", 127, 128) },
    { name: "a memory of 10241", input: { MemorySize: 10_241 }, error: "ValidationException", message: atMost("memorySize", 10_241, 10_240) },
    {
      name: "a role that is no ARN",
      input: { Role: "consumer" },
      error: "ValidationException",
      message: String.raw`1 validation error detected: Value 'consumer' at 'role' failed to satisfy constraint: Member must satisfy regular expression pattern: arn:(aws[a-zA-Z-]*)?:iam::\d{12}:role/?[a-zA-Z_0-9+=,.@\-_/]+`,
    },
    { name: "a role that is not there", input: { Role: `arn:aws:iam::${ACCOUNT}:role/nobody` }, error: "InvalidParameterValueException", message: "The role defined for the function cannot be assumed by Lambda." },
    { name: "a role that trusts somebody else", input: { Role: `arn:aws:iam::${ACCOUNT}:role/others` }, error: "InvalidParameterValueException", message: "The role defined for the function cannot be assumed by Lambda." },
    { name: "a role of another account", input: { Role: "arn:aws:iam::111111111111:role/x" }, error: "AccessDeniedException", message: "Cross-account pass role is not allowed." },
    { name: "bytes that are no zip", input: { Code: { ZipFile: Buffer.from("no zip") } }, error: "InvalidParameterValueException", message: "Could not unzip uploaded file. Please check your file, then try to upload again." },
    { name: "no code", input: { Code: {} }, error: "InvalidParameterValueException", message: "Please provide a source for function code." },
    { name: "an object that is not there", input: { Code: { S3Bucket: "b", S3Key: "k" } }, error: "InvalidParameterValueException", message: "Error occurred while GetObject. S3 Error Code: NoSuchKey. S3 Error Message: The specified key does not exist." },
    { name: "no runtime", input: { Runtime: undefined }, error: "InvalidParameterValueException", message: "Runtime and Handler are mandatory parameters for functions created with deployment packages." },
    {
      name: "reserved variables",
      input: { Environment: { Variables: { AWS_REGION: "x", OK: "y" } } },
      error: "InvalidParameterValueException",
      message:
        "Lambda was unable to configure your environment variables because the environment variables you have provided contains reserved keys that are currently not supported for modification. Reserved keys used in this request: AWS_REGION",
    },
    { name: "a name with a space", input: { FunctionName: "a b" }, error: "ValidationException", message: expect.stringContaining("Value 'a b' at 'functionName' failed to satisfy constraint: Member must satisfy regular expression pattern:") },
    { name: "a runtime that AWS never had", input: { Runtime: "cobol85" as never }, error: "InvalidParameterValueException", message: expect.stringContaining("Value cobol85 at 'runtime' failed to satisfy constraint: Member must satisfy enum value set:") },
  ])("$name", async ({ input, error, message }) => {
    const simAws = await functionWorld();
    await createRole(simAws, "others", [], "ecs-tasks.amazonaws.com");
    await expect(simAws.lambda().createFunction(new CreateFunctionCommand({ ...valid, ...input }))).rejects.toMatchObject({ name: error, message, $fault: "client" });
    expect((await simAws.lambda().listFunctions(new ListFunctionsCommand({}))).Functions).toEqual([]);
  });

  test("a name that is taken", async () => {
    const simAws = await functionWorld();
    await createHandler(simAws, "fn", () => "first");
    await expect(simAws.lambda().createFunction(new CreateFunctionCommand(valid))).rejects.toMatchObject({ name: "ResourceConflictException", message: "Function already exist: fn", $metadata: { httpStatusCode: 409 } });
    expect((await invoke(simAws, "fn")).result).toBe("first");
  });

  test("a caller without iam:PassRole", async () => {
    const simAws = await functionWorld();
    await simAws.iam().createUser(new CreateUserCommand({ UserName: "dev" }));
    const PolicyDocument = JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "lambda:*", Resource: "*" }] });
    await simAws.iam().putUserPolicy(new PutUserPolicyCommand({ UserName: "dev", PolicyName: "p", PolicyDocument }));
    const caller = { kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:user/dev` } as const;
    await expect(simAws.lambda().createFunction(new CreateFunctionCommand(valid), { caller })).rejects.toMatchObject({
      name: "AccessDeniedException",
      message: `User: arn:aws:iam::${ACCOUNT}:user/dev is not authorized to perform: iam:PassRole on resource: ${ROLE} because no identity-based policy allows the iam:PassRole action`,
      $metadata: { httpStatusCode: 403 },
    });
    await expect(simAws.lambda().getFunction(new GetFunctionCommand({ FunctionName: "fn" }))).rejects.toThrow("Function not found");
  });

  test.each([
    { name: "the least", Timeout: 1, MemorySize: 128 },
    { name: "the most", Timeout: 900, MemorySize: 10_240 },
  ])("bounds that are met: $name", async ({ Timeout, MemorySize }) => {
    const simAws = await functionWorld();
    await expect(simAws.lambda().createFunction(new CreateFunctionCommand({ ...valid, Timeout, MemorySize }))).resolves.toMatchObject({ Timeout, MemorySize });
  });
});

test("with IAM off the role need not exist", async () => {
  const simAws = new SimAws({ iam: "off" });
  await createCode(simAws, "fn", "exports.handler = async () => process.env.AWS_ACCESS_KEY_ID.length;", { Role: `arn:aws:iam::${ACCOUNT}:role/nobody` });
  expect((await invoke(simAws, "fn")).result).toBeGreaterThan(15);
});

test("an update changes what it names, and gives the code a new environment", async () => {
  const simAws = await functionWorld();
  await createCode(simAws, "fn", "let calls = 0; exports.handler = async () => [++calls, process.env.MODE];", { Environment: { Variables: { MODE: "a" } }, Description: "first" });
  expect((await invoke(simAws, "fn")).result).toEqual([1, "a"]);
  expect((await invoke(simAws, "fn")).result).toEqual([2, "a"]);
  const updated = await simAws.lambda().updateFunctionConfiguration(new UpdateFunctionConfigurationCommand({ FunctionName: "fn", Environment: { Variables: { MODE: "b" } }, Timeout: 10 }));
  expect(updated).toMatchObject({ State: "Active", LastUpdateStatus: "InProgress", LastUpdateStatusReasonCode: "Creating", Timeout: 10, Description: "first", $metadata: { httpStatusCode: 200 } });
  expect((await invoke(simAws, "fn")).result).toEqual([1, "b"]);
  const stale = new UpdateFunctionCodeCommand({ FunctionName: "fn", ZipFile: CODE, RevisionId: "00000000-0000-4000-8000-000000000000" });
  await expect(simAws.lambda().updateFunctionCode(stale)).rejects.toMatchObject({ name: "PreconditionFailedException", $metadata: { httpStatusCode: 412 } });
  await simAws.lambda().updateFunctionCode(new UpdateFunctionCodeCommand({ FunctionName: "fn", ZipFile: makeLambdaZipFileInput(() => "in process") }));
  expect((await invoke(simAws, "fn")).result).toBe("in process");
});

test("the input is the caller's: changing it later changes nothing, and it is not changed", async () => {
  const simAws = await functionWorld();
  const Variables = { MODE: "a" };
  const command = new CreateFunctionCommand({ FunctionName: "fn", Role: ROLE, Runtime: "nodejs22.x", Handler: "index.handler", Code: { ZipFile: Uint8Array.from(CODE) }, Environment: { Variables } });
  const before = structuredClone(command.input);
  await simAws.lambda().createFunction(command);
  expect(command.input).toEqual(before);
  Variables.MODE = "b";
  command.input.Code!.ZipFile!.fill(0);
  const { Configuration } = await simAws.lambda().getFunction(new GetFunctionCommand({ FunctionName: "fn" }));
  expect(Configuration?.Environment?.Variables).toEqual({ MODE: "a" });
  Configuration!.Environment!.Variables!["MODE"] = "c";
  expect((await simAws.lambda().getFunctionConfiguration(new GetFunctionConfigurationCommand({ FunctionName: "fn" }))).Environment?.Variables).toEqual({ MODE: "a" });
  expect((await invoke(simAws, "fn")).result).toBe(1);
});

test("a deleted function is gone", async () => {
  const simAws = await functionWorld();
  await createHandler(simAws, "fn", () => 1);
  expect((await simAws.lambda().deleteFunction(new DeleteFunctionCommand({ FunctionName: "fn" }))).$metadata.httpStatusCode).toBe(204);
  const error: unknown = await simAws.lambda().invoke(new InvokeCommand({ FunctionName: "fn" })).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ResourceNotFoundException);
  expect(error).toBeInstanceOf(SimLambdaResourceNotFoundException);
  expect(error).not.toBeInstanceOf(SimLambdaInvalidParameterValueException);
  expect(error).toMatchObject({ message: `Function not found: ${functionArn("fn")}:$LATEST`, Type: "User", $metadata: { httpStatusCode: 404 } });
  await expect(simAws.lambda().deleteFunction(new DeleteFunctionCommand({ FunctionName: "fn" }))).rejects.toMatchObject({ message: `Function not found: ${functionArn("fn")}` });
});

test("a resource policy lets others invoke, and only so", async () => {
  const simAws = await functionWorld();
  await createHandler(simAws, "fn", () => "called");
  const topic = "arn:aws:sns:us-east-1:888888888888:news";
  const asSns = { caller: { kind: "service", service: "sns.amazonaws.com" }, sourceArn: topic } as const;
  const call = (): Promise<unknown> => simAws.lambda().invoke(new InvokeCommand({ FunctionName: "fn" }), asSns);
  await expect(simAws.lambda().getPolicy(new GetPolicyCommand({ FunctionName: "fn" }))).rejects.toMatchObject({ name: "ResourceNotFoundException", message: "The resource you requested does not exist." });
  await expect(call()).rejects.toMatchObject({ name: "AccessDeniedException" });
  const permission = { FunctionName: "fn", StatementId: "news", Action: "lambda:InvokeFunction", Principal: "sns.amazonaws.com", SourceArn: topic };
  const { Statement } = await simAws.lambda().addPermission(new AddPermissionCommand(permission));
  const statement = {
    Sid: "news",
    Effect: "Allow",
    Principal: { Service: "sns.amazonaws.com" },
    Action: "lambda:InvokeFunction",
    Resource: functionArn("fn"),
    Condition: { ArnLike: { "AWS:SourceArn": topic } },
  };
  expect(JSON.parse(Statement!)).toEqual(statement);
  await expect(call()).resolves.toMatchObject({ StatusCode: 200 });
  await expect(simAws.lambda().invoke(new InvokeCommand({ FunctionName: "fn" }), { ...asSns, sourceArn: `${topic}-other` })).rejects.toMatchObject({ name: "AccessDeniedException" });
  await expect(simAws.lambda().addPermission(new AddPermissionCommand(permission))).rejects.toMatchObject({
    name: "ResourceConflictException",
    message: "The statement id (news) provided already exists. Please provide a new statement id, or remove the existing statement.",
  });
  const { Policy } = await simAws.lambda().getPolicy(new GetPolicyCommand({ FunctionName: "fn" }));
  expect(JSON.parse(Policy!)).toEqual({ Version: "2012-10-17", Id: "default", Statement: [statement] });
  await simAws.lambda().removePermission(new RemovePermissionCommand({ FunctionName: "fn", StatementId: "news" }));
  await expect(call()).rejects.toMatchObject({ name: "AccessDeniedException" });
  await expect(simAws.lambda().removePermission(new RemovePermissionCommand({ FunctionName: "fn", StatementId: "news" }))).rejects.toMatchObject({ name: "ResourceNotFoundException" });
});

test("tags are added, listed and taken away by ARN", async () => {
  const simAws = await functionWorld();
  await createHandler(simAws, "fn", () => 1, { Tags: { a: "1" } });
  const Resource = functionArn("fn");
  expect((await simAws.lambda().tagResource(new TagResourceCommand({ Resource, Tags: { b: "2" } }))).$metadata.httpStatusCode).toBe(204);
  await simAws.lambda().untagResource(new UntagResourceCommand({ Resource, TagKeys: ["a", "unknown"] }));
  expect((await simAws.lambda().listTags(new ListTagsCommand({ Resource }))).Tags).toEqual({ b: "2" });
  const unknown = `arn:aws:lambda:us-east-1:${ACCOUNT}:event-source-mapping:00000000-0000-4000-8000-000000000000`;
  await expect(simAws.lambda().listTags(new ListTagsCommand({ Resource: unknown }))).rejects.toMatchObject({ name: "ResourceNotFoundException", message: `Event source mapping not found: ${unknown}` });
});

test("reserved concurrency refuses the invocation beyond it", async () => {
  const simAws = await functionWorld();
  let release = (): void => {};
  await createHandler(simAws, "fn", () => new Promise<void>((resolve) => (release = resolve)));
  await simAws.lambda().putFunctionConcurrency(new PutFunctionConcurrencyCommand({ FunctionName: "fn", ReservedConcurrentExecutions: 1 }));
  const first = simAws.lambda().invoke(new InvokeCommand({ FunctionName: "fn" }));
  await expect(simAws.lambda().invoke(new InvokeCommand({ FunctionName: "fn" }))).rejects.toMatchObject({
    name: "TooManyRequestsException",
    message: "Rate Exceeded.",
    Reason: "ReservedFunctionConcurrentInvocationLimitExceeded",
    $metadata: { httpStatusCode: 429 },
  });
  release();
  await expect(first).resolves.toMatchObject({ StatusCode: 200 });
});

test("what the sandbox lacks is refused by name", async () => {
  const simAws = await functionWorld();
  const lambda = simAws.lambda() as unknown as Record<string, (command: object) => Promise<unknown>>;
  await expect(lambda["publishLayerVersion"]!({ input: { LayerName: "shared" } })).rejects.toThrow(/lambda:PublishLayerVersion.*CreateFunction/s);
  await expect(createCode(simAws, "image", "", { PackageType: "Image" })).rejects.toThrow("The sandbox runs functions from zip archives; image has PackageType Image.");
});
