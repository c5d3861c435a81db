import { awsError, invoke, isAwsError, isSimError, operation, World, type AuthorizationRequest, type Caller, type Principal, type ServiceDefinition } from "@sandstack/core";
import { wouldAllow } from "../src/invoke.js";

const scope = { accountId: "111111111111", region: "us-east-1" };
const otherScope = { accountId: "222222222222", region: "us-east-1" };

function userCalled(userName: string): Principal {
  return { kind: "user", accountId: scope.accountId, arn: `arn:aws:iam::${scope.accountId}:user/${userName}`, userId: "AIDA", userName };
}

interface Notes {
  lines: string[];
}

/** Writes lines, in the account that the input names. */
const notesService: ServiceDefinition<Notes> = {
  id: "notes",
  reach: "account",
  emptyState: () => ({ lines: [] }),
  accessDenied: ({ question, decision }) => awsError("@aws-sdk/client-notes", { name: "AccessDenied", httpStatusCode: 403 }, `${question.action} on ${question.resource} ${decision.because}`),
  operations: [
    operation<Notes, { readonly line: string; readonly account?: string; readonly alsoNeeds?: string }, { count: number }>({
      name: "Write",
      httpStatusCode: 201,
      authorize: {
        scope: (callScope, { account }) => ({ ...callScope, accountId: account ?? callScope.accountId }),
        questions: ({ scope: owner }) => [
          { action: "notes:Write", resource: `arn:aws:notes::${owner.accountId}:book`, context: { "notes:Kind": "line" } },
          { action: "notes:Tear", resource: "*" },
        ],
      },
      run(ctx, { line, alsoNeeds }) {
        if (alsoNeeds !== undefined) ctx.authorizeAlso({ action: alsoNeeds, resource: "*" });
        if (line === "") throw awsError("@aws-sdk/client-notes", { name: "EmptyLine" }, "A line has at least one character.");
        ctx.state.lines.push(`${line} by ${ctx.caller.kind} in ${ctx.callScope.region}`);
        return { count: ctx.state.lines.length };
      },
    }),
    operation<Notes, void, void>({ name: "Nothing", run: () => undefined }),
    operation<Notes, { readonly name: string }, void>({
      name: "FailLater",
      run: async (_ctx, { name }) => {
        await Promise.resolve();
        throw awsError("@aws-sdk/client-notes", { name, fault: "server" }, "It broke.");
      },
    }),
  ],
  authorizer: () => ({
    resolve(caller: Caller | undefined, { accountId }): Principal {
      if (caller === undefined) return { kind: "root", accountId, arn: `arn:aws:iam::${accountId}:root`, userId: accountId };
      if (caller.kind === "arn") return userCalled(caller.arn);
      throw awsError("@aws-sdk/client-notes", { name: "UnrecognizedClientException", httpStatusCode: 403 }, "The security token included in the request is invalid.");
    },
    authorize(request) {
      asked.push(request);
      const isAllowed = request.principal.kind === "user" && !request.action.endsWith(refused);
      const value = isAllowed ? "Allow" : "ImplicitDeny";
      return { value, isAllowed, isDenied: !isAllowed, isExplicitDeny: false, isImplicitDeny: !isAllowed, because: "because no policy allows it", explain: () => "No policy allows it." };
    },
  }),
};

let asked: AuthorizationRequest[];
/** The end of the action that users may not do. */
let refused: string;
let world: World;

beforeEach(() => {
  asked = [];
  refused = "none";
  world = new World({ services: [notesService], seed: "door", clock: "manual", startTimeMs: 0, iam: "enforce" });
});

const alice = { caller: { kind: "arn", arn: "alice" } } as const;

function linesOf(at = scope): string[] {
  return (world.stateOf(notesService, at) as Notes).lines; // the service's own state
}

/** A call's promise, also where the door throws at once. */
async function call(operationName: string, input: unknown, options?: Parameters<typeof invoke>[5]): Promise<unknown> {
  return invoke(world, scope, "notes", operationName, input, options);
}

test("a call is authorized, run and answered with metadata", async () => {
  expect(await call("Write", { line: "a" }, alice)).toEqual({
    count: 1,
    $metadata: { httpStatusCode: 201, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/), attempts: 1, totalRetryDelay: 0 },
  });
  expect(linesOf()).toEqual(["a by user in us-east-1"]);
  expect(await call("Nothing", undefined)).toMatchObject({ $metadata: { httpStatusCode: 200 } });
});

test("IAM is asked every question, with the call's circumstances", async () => {
  await call("Write", { line: "a" }, { ...alice, sourceArn: "arn:aws:sns:us-east-1:1:t", sourceAccount: "1" });
  expect(asked).toEqual([
    {
      principal: userCalled("alice"),
      action: "notes:Write",
      resource: "arn:aws:notes::111111111111:book",
      resourceAccountId: "111111111111",
      region: "us-east-1",
      context: { "aws:SourceArn": "arn:aws:sns:us-east-1:1:t", "aws:SourceAccount": "1", "notes:Kind": "line" },
    },
    expect.objectContaining({ action: "notes:Tear", resource: "*" }),
  ]);
});

test.each([
  { name: "the first question", refusedAction: "Write", input: { line: "a" } },
  { name: "a later question", refusedAction: "Tear", input: { line: "a" } },
  { name: "a question of the operation's own", refusedAction: "PassRole", input: { line: "a", alsoNeeds: "iam:PassRole" } },
])("a refusal changes nothing and is recorded once: $name", async ({ refusedAction, input }) => {
  refused = refusedAction;
  await expect(call("Write", input, alice)).rejects.toMatchObject({
    name: "AccessDenied",
    message: expect.stringMatching(/^\w+:\w+ on \S+ because no policy allows it$/),
    $metadata: { httpStatusCode: 403, requestId: expect.any(String) },
  });
  expect(linesOf()).toEqual([]);
  expect([...world.log()]).toEqual([expect.objectContaining({ kind: "call.denied", operation: "Write", principal: "arn:aws:iam::111111111111:user/alice", explanation: "No policy allows it." })]);
  expect(String(world.log())).toMatch(/^1970-01-01T00:00:00\.000Z {2}arn:aws:iam::111111111111:user\/alice was denied \w+:\w+ on \S+: No policy allows it\.$/);
});

test("an account's root needs no permission in its own account, and does in another's", async () => {
  await call("Write", { line: "a" });
  expect(asked).toEqual([]);
  await expect(call("Write", { line: "b", account: otherScope.accountId })).rejects.toMatchObject({ name: "AccessDenied" });
  expect(linesOf(otherScope)).toEqual([]);
});

test("a resource's owner is asked for, not the account called", async () => {
  await call("Write", { line: "a", account: otherScope.accountId }, alice);
  expect(asked[0]).toMatchObject({ resource: "arn:aws:notes::222222222222:book", resourceAccountId: "222222222222" });
  expect(linesOf(otherScope)).toHaveLength(1);
  expect(linesOf()).toEqual([]);
});

test("without enforcement nobody is asked", async () => {
  world = new World({ services: [notesService], seed: "door", clock: "manual", startTimeMs: 0, iam: "off" });
  refused = "Write";
  await call("Write", { line: "a", alsoNeeds: "iam:PassRole" }, alice);
  expect(asked).toEqual([]);
});

test.each([
  { name: "thrown at once", operationName: "Write", input: { line: "" }, error: { name: "EmptyLine", $fault: "client", $metadata: { httpStatusCode: 400 } } },
  { name: "thrown later", operationName: "FailLater", input: { name: "Broken" }, error: { name: "Broken", $fault: "server", $metadata: { httpStatusCode: 500 } } },
])("AWS's errors get a request id and are recorded: $name", async ({ operationName, input, error }) => {
  const failed = await call(operationName, input, alice).catch((thrown: unknown) => thrown);
  expect(isAwsError(failed)).toBe(true);
  expect(failed).toMatchObject({ ...error, $metadata: { ...error.$metadata, requestId: expect.any(String) } });
  expect([...world.log()]).toEqual([expect.objectContaining({ kind: "call.failed", service: "notes", operation: operationName, errorName: error.name, principal: "arn:aws:iam::111111111111:user/alice" })]);
});

test("so does the error of a caller whom nobody knows", async () => {
  const stranger = { caller: { kind: "credentials", credentials: { accessKeyId: "AKIA", secretAccessKey: "x" } } } as const;
  await expect(call("Write", { line: "a" }, stranger)).rejects.toMatchObject({ name: "UnrecognizedClientException", $metadata: { httpStatusCode: 403, requestId: expect.any(String) } });
  expect([...world.log()]).toEqual([expect.objectContaining({ kind: "call.failed", errorName: "UnrecognizedClientException" })]);
});

test("asking whether a call would be allowed makes and records nothing", () => {
  expect(wouldAllow(world, scope, "notes", "Write", { line: "a" }, alice)).toBe(true);
  refused = "Tear";
  expect(wouldAllow(world, scope, "notes", "Write", { line: "a" }, alice)).toBe(false);
  expect(linesOf()).toEqual([]);
  expect([...world.log()]).toEqual([]);
});

test.each([
  { name: "a service", serviceId: "postcards", operationName: "Write", message: "The sandbox has not got the service postcards. The services it has: notes." },
  { name: "an operation", serviceId: "notes", operationName: "Burn", message: "The sandbox has not got notes:Burn. The operations of notes it has: FailLater, Nothing, Write." },
])("what the sandbox lacks it says by name, with what it has: $name", async ({ serviceId, operationName, message }) => {
  const failed = await (async () => invoke(world, scope, serviceId, operationName, {}))().catch((thrown: unknown) => thrown);
  expect(isSimError(failed)).toBe(true);
  expect(failed).toMatchObject({ name: "SimUnsupported", message });
});
