import { AttachRolePolicyCommand, CreateAccessKeyCommand, CreateRoleCommand, CreateUserCommand, DeleteRoleCommand, DetachRolePolicyCommand, GetRoleCommand, ListRolesCommand, PutUserPolicyCommand, UpdateAccessKeyCommand } from "@aws-sdk/client-iam";
import { AssumeRoleCommand, GetAccessKeyInfoCommand, GetCallerIdentityCommand, GetSessionTokenCommand, type AssumeRoleCommandInput, type Credentials } from "@aws-sdk/client-sts";
import { SimAws, type Caller } from "sandstack";
import { SimStsAccessDenied, SimStsExpiredToken, SimStsInvalidClientTokenId } from "sandstack/iam";

const ACCOUNT = "888888888888";
const OTHER = "111111111111";
const WORKER = `arn:aws:iam::${ACCOUNT}:role/worker`;
const ALICE = `arn:aws:iam::${ACCOUNT}:user/alice`;

let simAws: SimAws;
beforeEach(() => {
  simAws = new SimAws({ startTime: new Date("2026-03-01T10:00:00Z") });
});

const document = (...Statement: object[]) => JSON.stringify({ Version: "2012-10-17", Statement });
const trusting = (Principal: object | string, more: object = {}) => document({ Effect: "Allow", Principal, Action: "sts:AssumeRole", ...more });

async function createRole(AssumeRolePolicyDocument: string, more: object = {}): Promise<void> {
  await simAws.iam().createRole(new CreateRoleCommand({ RoleName: "worker", AssumeRolePolicyDocument, ...more }));
  await simAws.iam().attachRolePolicy(new AttachRolePolicyCommand({ RoleName: "worker", PolicyArn: "arn:aws:iam::aws:policy/ReadOnlyAccess" }));
}

async function createAlice(...statements: object[]): Promise<Caller> {
  await simAws.iam().createUser(new CreateUserCommand({ UserName: "alice" }));
  if (statements.length > 0) await simAws.iam().putUserPolicy(new PutUserPolicyCommand({ UserName: "alice", PolicyName: "own", PolicyDocument: document(...statements) }));
  return { kind: "arn", arn: ALICE };
}

const assume = (input: Partial<AssumeRoleCommandInput> = {}, caller?: Caller) => simAws.sts().assumeRole(new AssumeRoleCommand({ RoleArn: WORKER, RoleSessionName: "s1", ...input }), { caller });

function callerOf({ AccessKeyId = "", SecretAccessKey = "", SessionToken }: Partial<Credentials> = {}): Caller {
  return { kind: "credentials", credentials: { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken } };
}

const whoAmI = async (caller?: Caller) => {
  const { Account, Arn, UserId } = await simAws.sts().getCallerIdentity(new GetCallerIdentityCommand({}), { caller });
  return { Account, Arn, UserId };
};

describe("who calls", () => {
  test("nobody named is the account's root", async () => {
    expect(await whoAmI()).toEqual({ Account: ACCOUNT, Arn: `arn:aws:iam::${ACCOUNT}:root`, UserId: ACCOUNT });
    const { Arn } = await simAws.account(OTHER).sts().getCallerIdentity(new GetCallerIdentityCommand({}));
    expect(Arn).toBe(`arn:aws:iam::${OTHER}:root`);
  });

  test("a caller by ARN", async () => {
    await createRole(trusting("*"), { Path: "/app/" });
    const { Role } = await simAws.iam().getRole(new GetRoleCommand({ RoleName: "worker" }));
    const session = `arn:aws:sts::${ACCOUNT}:assumed-role/worker/job-7`;
    expect(await whoAmI({ kind: "arn", arn: session })).toEqual({ Account: ACCOUNT, Arn: session, UserId: `${Role?.RoleId}:job-7` });
    expect(await whoAmI({ kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:role/app/worker` })).toMatchObject({ Arn: expect.stringMatching(/:assumed-role\/worker\/.+/) });
    expect(await whoAmI({ kind: "arn", arn: OTHER })).toEqual({ Account: OTHER, Arn: `arn:aws:iam::${OTHER}:root`, UserId: OTHER });
    await expect(whoAmI({ kind: "arn", arn: "arn:aws:sqs:us-east-1:888888888888:orders" })).rejects.toMatchObject({ name: "SimUnknownCaller", message: expect.stringContaining("arn:aws:sqs:us-east-1:888888888888:orders") });
  });

  test("a user's access keys, as long as they are active", async () => {
    await createAlice();
    const { AccessKey } = await simAws.iam().createAccessKey(new CreateAccessKeyCommand({ UserName: "alice" }));
    const caller = callerOf(AccessKey);
    expect(await whoAmI(caller)).toMatchObject({ Arn: ALICE });
    expect((await simAws.sts().getAccessKeyInfo(new GetAccessKeyInfoCommand({ AccessKeyId: AccessKey?.AccessKeyId }))).Account).toBe(ACCOUNT);
    // The key tells the account, so that it is known wherever it is used.
    expect((await simAws.account(OTHER).sts().getCallerIdentity(new GetCallerIdentityCommand({}), { caller })).Account).toBe(ACCOUNT);
    await expect(whoAmI(callerOf({ ...AccessKey, SecretAccessKey: "wrong" }))).rejects.toMatchObject({ name: "SignatureDoesNotMatch", $metadata: { httpStatusCode: 403 } });
    await simAws.iam().updateAccessKey(new UpdateAccessKeyCommand({ UserName: "alice", AccessKeyId: AccessKey?.AccessKeyId, Status: "Inactive" }));
    const inactive = whoAmI(caller);
    await expect(inactive).rejects.toMatchObject({ name: "InvalidClientTokenId", message: "The security token included in the request is invalid.", $metadata: { httpStatusCode: 403 } });
    await expect(inactive).rejects.toBeInstanceOf(SimStsInvalidClientTokenId);
    await expect(whoAmI(callerOf({ AccessKeyId: "AKIAIOSFODNN7EXAMPLE" }))).rejects.toMatchObject({ name: "InvalidClientTokenId" });
  });
});

describe("taking on a role", () => {
  test("a session acts with the role's policies until it expires", async () => {
    await createRole(trusting({ AWS: ACCOUNT }));
    const { Credentials, AssumedRoleUser } = await assume({ DurationSeconds: 900 });
    expect(Credentials).toMatchObject({ AccessKeyId: expect.stringMatching(/^ASIA[A-Z2-7]{16}$/), Expiration: new Date("2026-03-01T10:15:00Z") });
    expect(AssumedRoleUser).toMatchObject({ Arn: `arn:aws:sts::${ACCOUNT}:assumed-role/worker/s1`, AssumedRoleId: expect.stringMatching(/^AROA[A-Z2-7]{17}:s1$/) });
    const caller = callerOf(Credentials);
    expect(await whoAmI(caller)).toEqual({ Account: ACCOUNT, Arn: AssumedRoleUser?.Arn, UserId: AssumedRoleUser?.AssumedRoleId });
    expect((await simAws.iam().listRoles(new ListRolesCommand({}), { caller })).Roles?.[0]?.RoleName).toBe("worker");
    const refused = simAws.iam().deleteRole(new DeleteRoleCommand({ RoleName: "worker" }), { caller });
    await expect(refused).rejects.toMatchObject({
      name: "AccessDenied",
      message: `User: ${AssumedRoleUser?.Arn} is not authorized to perform: iam:DeleteRole on resource: ${WORKER} because no identity-based policy allows the iam:DeleteRole action`,
      $metadata: { httpStatusCode: 403 },
    });

    await expect(whoAmI(callerOf({ ...Credentials, SessionToken: "other" }))).rejects.toMatchObject({ name: "InvalidClientTokenId" });
    await simAws.clock().advanceBy({ seconds: 899, milliseconds: 999 });
    await whoAmI(caller);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    const expired = whoAmI(caller);
    await expect(expired).rejects.toMatchObject({ name: "ExpiredTokenException", Code: "ExpiredToken", message: "The security token included in the request is expired" });
    await expect(expired).rejects.toBeInstanceOf(SimStsExpiredToken);
    expect(String(simAws.log())).toContain(`Role ${WORKER} was taken on by arn:aws:iam::${ACCOUNT}:root, as ${AssumedRoleUser?.Arn}, until 2026-03-01T10:15:00.000Z.`);
  });

  test.each([
    { name: "the trust policy names the user", trust: { AWS: ALICE }, own: [], allowed: true },
    { name: "the trust policy names the account, and the user may", trust: { AWS: ACCOUNT }, own: [{ Effect: "Allow", Action: "sts:AssumeRole", Resource: WORKER }], allowed: true },
    { name: "the trust policy names the account, and the user may not", trust: { AWS: ACCOUNT }, own: [], allowed: false },
    { name: "the trust policy names a service", trust: { Service: "lambda.amazonaws.com" }, own: [{ Effect: "Allow", Action: "*", Resource: "*" }], allowed: false },
    { name: "the user is denied", trust: { AWS: ALICE }, own: [{ Effect: "Deny", Action: "sts:*", Resource: "*" }], allowed: false },
  ])("$name: $allowed", async ({ trust, own, allowed }) => {
    await createRole(trusting(trust));
    const caller = await createAlice(...own);
    const assumed = assume({}, caller);
    if (allowed) return void expect((await assumed).AssumedRoleUser?.Arn).toBe(`arn:aws:sts::${ACCOUNT}:assumed-role/worker/s1`);
    await expect(assumed).rejects.toMatchObject({ name: "AccessDenied", message: `User: ${ALICE} is not authorized to perform: sts:AssumeRole on resource: ${WORKER}`, $metadata: { httpStatusCode: 403 } });
    await expect(assumed).rejects.toBeInstanceOf(SimStsAccessDenied);
  });

  test("a service takes on the role that trusts it", async () => {
    await createRole(trusting({ Service: "lambda.amazonaws.com" }));
    const lambda = { kind: "service", service: "lambda.amazonaws.com" } as const;
    await assume({}, lambda);
    await expect(assume({}, { kind: "service", service: "events.amazonaws.com" })).rejects.toMatchObject({ name: "AccessDenied" });
    await expect(assume()).rejects.toMatchObject({ name: "AccessDenied" });
    await expect(assume({ RoleArn: `arn:aws:iam::${ACCOUNT}:role/none` })).rejects.toMatchObject({ name: "AccessDenied", message: `User: arn:aws:iam::${ACCOUNT}:root is not authorized to perform: sts:AssumeRole on resource: arn:aws:iam::${ACCOUNT}:role/none` });
  });

  test("across accounts both sides must allow", async () => {
    await createRole(trusting({ AWS: OTHER }));
    const other = simAws.account(OTHER);
    await other.iam().createUser(new CreateUserCommand({ UserName: "bob" }));
    const assumeAsBob = () => other.sts().assumeRole(new AssumeRoleCommand({ RoleArn: WORKER, RoleSessionName: "s1" }), { caller: { kind: "arn", arn: `arn:aws:iam::${OTHER}:user/bob` } });
    await expect(assumeAsBob()).rejects.toMatchObject({ name: "AccessDenied" });
    await other.iam().putUserPolicy(new PutUserPolicyCommand({ UserName: "bob", PolicyName: "p", PolicyDocument: document({ Effect: "Allow", Action: "sts:AssumeRole", Resource: WORKER }) }));
    const { Credentials } = await assumeAsBob();
    expect(await whoAmI(callerOf(Credentials))).toMatchObject({ Account: ACCOUNT });
  });

  test("the external id must be the one wanted", async () => {
    await createRole(trusting({ AWS: ALICE }, { Condition: { StringEquals: { "sts:ExternalId": "x1" } } }));
    const caller = await createAlice();
    await expect(assume({}, caller)).rejects.toMatchObject({ name: "AccessDenied" });
    await expect(assume({ ExternalId: "x2" }, caller)).rejects.toMatchObject({ name: "AccessDenied" });
    await assume({ ExternalId: "x1" }, caller);
    const [denied] = simAws.log().filter({ kind: "call.denied" });
    expect(denied).toMatchObject({ action: "sts:AssumeRole", explanation: expect.stringContaining('but only when StringEquals sts:ExternalId "x1"; the request has no sts:ExternalId') });
  });

  test("session policies take away, and session tags are carried", async () => {
    await createRole(trusting({ AWS: ACCOUNT }, { Action: ["sts:AssumeRole", "sts:TagSession"] }), { Tags: [{ Key: "team", Value: "a" }] });
    const Policy = document({ Effect: "Allow", Action: "iam:GetRole", Resource: "*", Condition: { StringEquals: { "aws:PrincipalTag/team": "b" } } });
    const cut = callerOf((await assume({ Policy })).Credentials);
    await expect(simAws.iam().getRole(new GetRoleCommand({ RoleName: "worker" }), { caller: cut })).rejects.toMatchObject({ message: expect.stringMatching(/because no session policy allows the iam:GetRole action$/) });
    const tagged = callerOf((await assume({ Policy, Tags: [{ Key: "team", Value: "b" }] })).Credentials);
    await simAws.iam().getRole(new GetRoleCommand({ RoleName: "worker" }), { caller: tagged });
    await expect(simAws.iam().listRoles(new ListRolesCommand({}), { caller: tagged })).rejects.toMatchObject({ message: expect.stringMatching(/because no session policy allows the iam:ListRoles action$/) });
    const named = await assume({ PolicyArns: [{ arn: "arn:aws:iam::aws:policy/AmazonSQSReadOnlyAccess" }] });
    await expect(simAws.iam().listRoles(new ListRolesCommand({}), { caller: callerOf(named.Credentials) })).rejects.toMatchObject({ name: "AccessDenied" });
    await expect(assume({ Policy: "{" })).rejects.toMatchObject({ name: "MalformedPolicyDocumentException", Code: "MalformedPolicyDocument" });
  });

  test.each([
    { name: "900 s", input: { DurationSeconds: 900 }, message: undefined },
    { name: "899 s", input: { DurationSeconds: 899 }, message: "1 validation error detected: Value '899' at 'durationSeconds' failed to satisfy constraint: Member must have value greater than or equal to 900" },
    { name: "the role's longest", input: { DurationSeconds: 7200 }, message: undefined },
    { name: "longer than the role's longest", input: { DurationSeconds: 7201 }, message: "The requested DurationSeconds exceeds the MaxSessionDuration set for this role." },
    { name: "longer than any", input: { DurationSeconds: 43_201 }, message: "1 validation error detected: Value '43201' at 'durationSeconds' failed to satisfy constraint: Member must have value less than or equal to 43200" },
    { name: "a session name of one character", input: { RoleSessionName: "s" }, message: "1 validation error detected: Value 's' at 'roleSessionName' failed to satisfy constraint: Member must have length greater than or equal to 2" },
    { name: "a session name with a slash", input: { RoleSessionName: "s/1" }, message: "1 validation error detected: Value 's/1' at 'roleSessionName' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+=,.@-]*" },
    { name: "a role by its name", input: { RoleArn: "worker" }, message: "1 validation error detected: Value 'worker' at 'roleArn' failed to satisfy constraint: Member must have length greater than or equal to 20" },
  ])("$name: $message", async ({ input, message }) => {
    await createRole(trusting({ AWS: ACCOUNT }), { MaxSessionDuration: 7200 });
    const assumed = assume(input);
    if (message === undefined) await assumed;
    else await expect(assumed).rejects.toMatchObject({ name: "ValidationError", message, $metadata: { httpStatusCode: 400 } });
  });

  test("a session of a role takes on a role for an hour at most", async () => {
    await createRole(trusting({ AWS: WORKER }), { MaxSessionDuration: 7200 });
    const caller = { kind: "arn", arn: WORKER } as const;
    await assume({ DurationSeconds: 3600 }, caller);
    await expect(assume({ DurationSeconds: 3601 }, caller)).rejects.toMatchObject({ name: "ValidationError", message: "The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining." });
  });

  test("a session of a deleted role may nothing of its own", async () => {
    await createRole(trusting({ AWS: ACCOUNT }));
    const caller = callerOf((await assume()).Credentials);
    await simAws.iam().detachRolePolicy(new DetachRolePolicyCommand({ RoleName: "worker", PolicyArn: "arn:aws:iam::aws:policy/ReadOnlyAccess" }));
    await simAws.iam().deleteRole(new DeleteRoleCommand({ RoleName: "worker" }));
    await expect(simAws.iam().listRoles(new ListRolesCommand({}), { caller })).rejects.toMatchObject({ name: "AccessDenied" });
    expect(simAws.iam().authorize({ action: "iam:ListRoles", resource: "*", caller }).explain()).toContain(`The sandbox has no role ${WORKER} in account ${ACCOUNT}`);
  });
});

test("a user's session token acts as the user", async () => {
  const caller = await createAlice({ Effect: "Allow", Action: "iam:ListRoles", Resource: "*" });
  const { Credentials } = await simAws.sts().getSessionToken(new GetSessionTokenCommand({}), { caller });
  expect(Credentials?.Expiration).toEqual(new Date("2026-03-01T22:00:00Z"));
  expect(await whoAmI(callerOf(Credentials))).toMatchObject({ Arn: ALICE });
  await simAws.iam().listRoles(new ListRolesCommand({}), { caller: callerOf(Credentials) });
  await expect(simAws.sts().getSessionToken(new GetSessionTokenCommand({}), { caller: { kind: "arn", arn: WORKER } })).rejects.toMatchObject({ name: "AccessDenied", message: "Cannot call GetSessionToken with session credentials" });
  await expect(whoAmI({ kind: "anonymous" })).rejects.toMatchObject({ name: "MissingAuthenticationToken" });
});

test("in a world that enforces nothing, roles need not exist", async () => {
  simAws = new SimAws({ iam: "off" });
  const { Credentials, AssumedRoleUser } = await assume();
  expect(await whoAmI(callerOf(Credentials))).toMatchObject({ Arn: AssumedRoleUser?.Arn });
  expect((await simAws.iam().listRoles(new ListRolesCommand({}), { caller: callerOf(Credentials) })).Roles).toEqual([]);
});

test("runAs makes the calls inside it", async () => {
  const caller = await createAlice();
  expect(await simAws.runAs(caller, () => whoAmI())).toMatchObject({ Arn: ALICE });
  expect(simAws.runAs(caller, () => simAws.iam().authorize({ action: "iam:ListRoles", resource: "*" })).value).toBe("ImplicitDeny");
});
