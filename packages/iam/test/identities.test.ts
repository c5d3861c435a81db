import {
  AddUserToGroupCommand,
  AttachGroupPolicyCommand,
  AttachRolePolicyCommand,
  AttachUserPolicyCommand,
  CreateAccessKeyCommand,
  CreateGroupCommand,
  CreatePolicyCommand,
  CreatePolicyVersionCommand,
  CreateRoleCommand,
  CreateUserCommand,
  DeleteAccessKeyCommand,
  DeleteConflictException,
  DeleteGroupCommand,
  DeletePolicyCommand,
  DeletePolicyVersionCommand,
  DeleteRoleCommand,
  DeleteRolePermissionsBoundaryCommand,
  DeleteRolePolicyCommand,
  DeleteUserCommand,
  DetachRolePolicyCommand,
  EntityAlreadyExistsException,
  GetGroupCommand,
  GetPolicyCommand,
  GetPolicyVersionCommand,
  GetRoleCommand,
  GetRolePolicyCommand,
  GetUserCommand,
  ListAccessKeysCommand,
  ListAttachedRolePoliciesCommand,
  ListEntitiesForPolicyCommand,
  ListGroupsForUserCommand,
  ListPoliciesCommand,
  ListPolicyVersionsCommand,
  ListRolePoliciesCommand,
  ListRoleTagsCommand,
  ListRolesCommand,
  ListUsersCommand,
  NoSuchEntityException,
  PutRolePermissionsBoundaryCommand,
  PutRolePolicyCommand,
  PutUserPolicyCommand,
  RemoveUserFromGroupCommand,
  SetDefaultPolicyVersionCommand,
  TagRoleCommand,
  UntagRoleCommand,
  UpdateAccessKeyCommand,
  UpdateAssumeRolePolicyCommand,
  UpdateRoleCommand,
  UpdateUserCommand,
} from "@aws-sdk/client-iam";
import { GetSessionTokenCommand } from "@aws-sdk/client-sts";
import { SimAws } from "sandstack";
import { SimIamDeleteConflict, SimIamEntityAlreadyExists, SimIamNoSuchEntity } from "sandstack/iam";

const ACCOUNT = "888888888888";
const START = new Date("2026-03-01T10:00:00Z");
const TRUST = JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" }] });
const ALLOW_ALL = JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }] });
const SEND = JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sqs:SendMessage", Resource: "*" }] });

let simAws: SimAws;
const iam = () => simAws.iam();

beforeEach(() => {
  simAws = new SimAws({ startTime: START });
});

const createRole = (RoleName = "worker", more: object = {}) => iam().createRole(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: TRUST, ...more }));

describe("roles", () => {
  test("a role is as it was made, its trust policy percent-encoded", async () => {
    const { Role: made } = await createRole("worker", { Path: "/service/", Description: "works", MaxSessionDuration: 7200, Tags: [{ Key: "team", Value: "a" }] });
    expect(made).toMatchObject({ Path: "/service/", RoleName: "worker", Arn: `arn:aws:iam::${ACCOUNT}:role/service/worker`, CreateDate: START });
    expect(made?.RoleId).toMatch(/^AROA[A-Z2-7]{17}$/);
    const { Role } = await iam().getRole(new GetRoleCommand({ RoleName: "worker" }));
    expect(Role).toMatchObject({ ...made, Description: "works", MaxSessionDuration: 7200, Tags: [{ Key: "team", Value: "a" }], RoleLastUsed: {} });
    expect(Role?.AssumeRolePolicyDocument).toContain("%7B%22Version%22%3A%222012-10-17%22");
    expect(decodeURIComponent(Role?.AssumeRolePolicyDocument ?? "")).toBe(TRUST);
    const { Roles, IsTruncated } = await iam().listRoles(new ListRolesCommand({ PathPrefix: "/service/" }));
    expect(Roles?.map(({ RoleName, Tags }) => [RoleName, Tags])).toEqual([["worker", undefined]]);
    expect(IsTruncated).toBe(false);
    expect((await iam().listRoles(new ListRolesCommand({ PathPrefix: "/other/" }))).Roles).toEqual([]);
  });

  test("each account has its own, all regions of it the same", async () => {
    await createRole();
    await expect(simAws.account("111111111111").iam().getRole(new GetRoleCommand({ RoleName: "worker" }))).rejects.toBeInstanceOf(NoSuchEntityException);
    expect((await simAws.region("eu-west-1").iam().getRole(new GetRoleCommand({ RoleName: "worker" }))).Role?.Arn).toBe(`arn:aws:iam::${ACCOUNT}:role/worker`);
  });

  test("what an update leaves out goes back to its default", async () => {
    await createRole("worker", { Description: "works", MaxSessionDuration: 7200 });
    await iam().updateRole(new UpdateRoleCommand({ RoleName: "worker", MaxSessionDuration: 43_200 }));
    const trust = TRUST.replace("lambda", "events");
    await iam().updateAssumeRolePolicy(new UpdateAssumeRolePolicyCommand({ RoleName: "worker", PolicyDocument: trust }));
    const { Role } = await iam().getRole(new GetRoleCommand({ RoleName: "worker" }));
    expect(Role).toMatchObject({ MaxSessionDuration: 43_200 });
    expect(Role).not.toHaveProperty("Description");
    expect(decodeURIComponent(Role?.AssumeRolePolicyDocument ?? "")).toBe(trust);
  });

  test("a role with policies is not deleted", async () => {
    await createRole();
    await iam().putRolePolicy(new PutRolePolicyCommand({ RoleName: "worker", PolicyName: "send", PolicyDocument: SEND }));
    const PolicyArn = "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole";
    await iam().attachRolePolicy(new AttachRolePolicyCommand({ RoleName: "worker", PolicyArn }));
    await iam().attachRolePolicy(new AttachRolePolicyCommand({ RoleName: "worker", PolicyArn }));
    const { AttachedPolicies } = await iam().listAttachedRolePolicies(new ListAttachedRolePoliciesCommand({ RoleName: "worker" }));
    expect(AttachedPolicies).toEqual([{ PolicyName: "AWSLambdaBasicExecutionRole", PolicyArn }]);

    const deleteRole = () => iam().deleteRole(new DeleteRoleCommand({ RoleName: "worker" }));
    const attached = deleteRole();
    await expect(attached).rejects.toMatchObject({ name: "DeleteConflictException", message: "Cannot delete entity, must detach all policies first.", $metadata: { httpStatusCode: 409 } });
    await expect(attached).rejects.toBeInstanceOf(DeleteConflictException);
    await expect(attached).rejects.toBeInstanceOf(SimIamDeleteConflict);
    await iam().detachRolePolicy(new DetachRolePolicyCommand({ RoleName: "worker", PolicyArn }));
    await expect(deleteRole()).rejects.toMatchObject({ name: "DeleteConflictException", message: "Cannot delete entity, must delete policies first." });
    const { PolicyDocument, ...named } = await iam().getRolePolicy(new GetRolePolicyCommand({ RoleName: "worker", PolicyName: "send" }));
    expect(named).toMatchObject({ RoleName: "worker", PolicyName: "send" });
    expect(decodeURIComponent(PolicyDocument ?? "")).toBe(SEND);
    await iam().deleteRolePolicy(new DeleteRolePolicyCommand({ RoleName: "worker", PolicyName: "send" }));
    await deleteRole();
    await expect(iam().getRole(new GetRoleCommand({ RoleName: "worker" }))).rejects.toMatchObject({ message: "The role with name worker cannot be found." });
  });

  test("tags are set over and taken off, whatever the case of their keys", async () => {
    await createRole("worker", { Tags: [{ Key: "team", Value: "a" }, { Key: "stage", Value: "test" }] });
    await iam().tagRole(new TagRoleCommand({ RoleName: "worker", Tags: [{ Key: "Team", Value: "b" }] }));
    await iam().untagRole(new UntagRoleCommand({ RoleName: "worker", TagKeys: ["STAGE", "none"] }));
    expect((await iam().listRoleTags(new ListRoleTagsCommand({ RoleName: "worker" }))).Tags).toEqual([{ Key: "Team", Value: "b" }]);
    const twice = iam().tagRole(new TagRoleCommand({ RoleName: "worker", Tags: [{ Key: "x", Value: "1" }, { Key: "X", Value: "2" }] }));
    await expect(twice).rejects.toMatchObject({ name: "InvalidInputException", message: "Duplicate tag keys found. Please note that Tag keys are case insensitive." });
    const many = Array.from({ length: 50 }, (_, index) => ({ Key: `k${index}`, Value: "" }));
    await expect(iam().tagRole(new TagRoleCommand({ RoleName: "worker", Tags: many }))).rejects.toMatchObject({ name: "LimitExceededException" });
    expect((await iam().listRoleTags(new ListRoleTagsCommand({ RoleName: "worker" }))).Tags).toHaveLength(1);
  });

  test("a permissions boundary is put, shown and taken away", async () => {
    await createRole();
    const PermissionsBoundary = "arn:aws:iam::aws:policy/ReadOnlyAccess";
    await iam().putRolePermissionsBoundary(new PutRolePermissionsBoundaryCommand({ RoleName: "worker", PermissionsBoundary }));
    expect((await iam().getRole(new GetRoleCommand({ RoleName: "worker" }))).Role?.PermissionsBoundary?.PermissionsBoundaryArn).toBe(PermissionsBoundary);
    await iam().deleteRolePermissionsBoundary(new DeleteRolePermissionsBoundaryCommand({ RoleName: "worker" }));
    expect((await iam().getRole(new GetRoleCommand({ RoleName: "worker" }))).Role).not.toHaveProperty("PermissionsBoundary");
  });

  test("lists come in pages", async () => {
    for (const name of ["c", "a", "b"]) await createRole(name);
    const first = await iam().listRoles(new ListRolesCommand({ MaxItems: 2 }));
    expect([first.Roles?.map(({ RoleName }) => RoleName), first.IsTruncated]).toEqual([["a", "b"], true]);
    const second = await iam().listRoles(new ListRolesCommand({ MaxItems: 2, Marker: first.Marker }));
    expect([second.Roles?.map(({ RoleName }) => RoleName), second.IsTruncated, second.Marker]).toEqual([["c"], false, undefined]);
    await expect(iam().listRoles(new ListRolesCommand({ MaxItems: 1001 }))).rejects.toMatchObject({ name: "ValidationError" });
  });
});

describe("refusals", () => {
  const long = (length: number) => "a".repeat(length);
  test.each([
    { name: "no name", input: { RoleName: undefined }, message: "1 validation error detected: Value null at 'roleName' failed to satisfy constraint: Member must not be null" },
    { name: "an empty name", input: { RoleName: "" }, message: "1 validation error detected: Value '' at 'roleName' failed to satisfy constraint: Member must have length greater than or equal to 1" },
    { name: "a name too long by one", input: { RoleName: long(65) }, message: `1 validation error detected: Value '${long(65)}' at 'roleName' failed to satisfy constraint: Member must have length less than or equal to 64` },
    { name: "a name of other characters", input: { RoleName: "a/b" }, message: "The specified value for roleName is invalid. It must contain only alphanumeric characters and/or the following: +=,.@_-" },
    { name: "a path without slashes", input: { Path: "x" }, message: "The specified value for path is invalid. It must begin and end with / and contain only alphanumeric characters and/or / characters." },
    { name: "a session too short", input: { MaxSessionDuration: 3599 }, message: "1 validation error detected: Value '3599' at 'maxSessionDuration' failed to satisfy constraint: Member must have value greater than or equal to 3600" },
    { name: "a session too long", input: { MaxSessionDuration: 43_201 }, message: "1 validation error detected: Value '43201' at 'maxSessionDuration' failed to satisfy constraint: Member must have value less than or equal to 43200" },
  ])("a role of $name", async ({ input, message }) => {
    await expect(iam().createRole(new CreateRoleCommand({ RoleName: "worker", AssumeRolePolicyDocument: TRUST, ...(input as object) }))).rejects.toMatchObject({ name: "ValidationError", message, $fault: "client", $metadata: { httpStatusCode: 400 } });
    expect((await iam().listRoles(new ListRolesCommand({}))).Roles).toEqual([]);
  });

  test("the longest name and session are taken", async () => {
    await createRole(long(64), { MaxSessionDuration: 43_200 });
    await createRole("least", { MaxSessionDuration: 3600 });
  });

  test("a name is taken whatever its case", async () => {
    await createRole("worker");
    const again = createRole("Worker");
    await expect(again).rejects.toMatchObject({ name: "EntityAlreadyExistsException", message: "Role with name Worker already exists.", Code: "EntityAlreadyExists", $metadata: { httpStatusCode: 409 } });
    await expect(again).rejects.toBeInstanceOf(EntityAlreadyExistsException);
    await expect(again).rejects.toBeInstanceOf(SimIamEntityAlreadyExists);
    await expect(again).rejects.not.toBeInstanceOf(SimIamNoSuchEntity);
    await iam().createUser(new CreateUserCommand({ UserName: "worker" }));
    await expect(iam().createUser(new CreateUserCommand({ UserName: "worker" }))).rejects.toMatchObject({ message: "User with name worker already exists." });
  });

  test.each([
    { arn: "short", error: { name: "ValidationError", message: "1 validation error detected: Value 'short' at 'policyArn' failed to satisfy constraint: Member must have length greater than or equal to 20" } },
    { arn: "arn:aws:sqs:us-east-1:123456789012:queue", error: { name: "InvalidInputException", message: "ARN arn:aws:sqs:us-east-1:123456789012:queue is not valid." } },
    { arn: "arn:aws:iam::888888888888:policy/none", error: { name: "NoSuchEntityException", message: "Policy arn:aws:iam::888888888888:policy/none does not exist or is not attachable." } },
    { arn: "arn:aws:iam::aws:policy/NoSuchPolicy", error: { name: "NoSuchEntityException", message: "Policy arn:aws:iam::aws:policy/NoSuchPolicy does not exist or is not attachable." } },
    { arn: "arn:aws:iam::aws:policy/aws-service-role/AWSLambdaReplicator", error: { name: "PolicyNotAttachableException" } },
  ])("a policy that cannot be attached: $arn", async ({ arn, error }) => {
    await createRole();
    await expect(iam().attachRolePolicy(new AttachRolePolicyCommand({ RoleName: "worker", PolicyArn: arn }))).rejects.toMatchObject(error);
    expect((await iam().listAttachedRolePolicies(new ListAttachedRolePoliciesCommand({ RoleName: "worker" }))).AttachedPolicies).toEqual([]);
  });

  test("policies that are not there, and too many or too large ones", async () => {
    await createRole();
    await expect(iam().getRolePolicy(new GetRolePolicyCommand({ RoleName: "worker", PolicyName: "x" }))).rejects.toMatchObject({ name: "NoSuchEntityException", message: "The role policy with name x cannot be found." });
    await expect(iam().detachRolePolicy(new DetachRolePolicyCommand({ RoleName: "worker", PolicyArn: "arn:aws:iam::aws:policy/ReadOnlyAccess" }))).rejects.toMatchObject({ message: "Policy arn:aws:iam::aws:policy/ReadOnlyAccess was not found." });
    const large = JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "*", Resource: `arn:aws:s3:::${long(10_240)}` }] });
    await expect(iam().putRolePolicy(new PutRolePolicyCommand({ RoleName: "worker", PolicyName: "x", PolicyDocument: large }))).rejects.toMatchObject({ name: "LimitExceededException", message: "Maximum policy size of 10240 bytes exceeded for role worker" });
    expect((await iam().listRolePolicies(new ListRolePoliciesCommand({ RoleName: "worker" }))).PolicyNames).toEqual([]);
    for (let number = 0; number < 11; number++) {
      const { Policy } = await iam().createPolicy(new CreatePolicyCommand({ PolicyName: `p${number}`, PolicyDocument: SEND }));
      const attach = iam().attachRolePolicy(new AttachRolePolicyCommand({ RoleName: "worker", PolicyArn: Policy?.Arn }));
      if (number < 10) await attach;
      else await expect(attach).rejects.toMatchObject({ name: "LimitExceededException", message: "Cannot exceed quota for PoliciesPerRole: 10" });
    }
  });
});

describe("users and groups", () => {
  test("a user's keys are made, listed without their secrets, set inactive and deleted", async () => {
    const { User } = await iam().createUser(new CreateUserCommand({ UserName: "alice", Path: "/dev/", Tags: [{ Key: "team", Value: "a" }] }));
    expect(User).toMatchObject({ UserName: "alice", Arn: `arn:aws:iam::${ACCOUNT}:user/dev/alice`, CreateDate: START, Tags: [{ Key: "team", Value: "a" }] });
    expect(User?.UserId).toMatch(/^AIDA[A-Z2-7]{17}$/);
    const { AccessKey } = await iam().createAccessKey(new CreateAccessKeyCommand({ UserName: "alice" }));
    expect(AccessKey).toMatchObject({ UserName: "alice", Status: "Active", CreateDate: START });
    expect(AccessKey?.AccessKeyId).toMatch(/^AKIA[A-Z2-7]{16}$/);
    expect(AccessKey?.SecretAccessKey).toHaveLength(40);
    await iam().createAccessKey(new CreateAccessKeyCommand({ UserName: "alice" }));
    await expect(iam().createAccessKey(new CreateAccessKeyCommand({ UserName: "alice" }))).rejects.toMatchObject({ name: "LimitExceededException", message: "Cannot exceed quota for AccessKeysPerUser: 2" });

    const AccessKeyId = AccessKey?.AccessKeyId;
    await iam().updateAccessKey(new UpdateAccessKeyCommand({ UserName: "alice", AccessKeyId, Status: "Inactive" }));
    const { AccessKeyMetadata } = await iam().listAccessKeys(new ListAccessKeysCommand({ UserName: "alice" }));
    expect(AccessKeyMetadata).toHaveLength(2);
    expect(AccessKeyMetadata?.[0]).toEqual({ UserName: "alice", AccessKeyId, Status: "Inactive", CreateDate: START });
    const deleteUser = () => iam().deleteUser(new DeleteUserCommand({ UserName: "alice" }));
    await expect(deleteUser()).rejects.toMatchObject({ name: "DeleteConflictException", message: "Cannot delete entity, must delete access keys first." });
    for (const key of AccessKeyMetadata ?? []) await iam().deleteAccessKey(new DeleteAccessKeyCommand({ UserName: "alice", AccessKeyId: key.AccessKeyId }));
    await expect(iam().deleteAccessKey(new DeleteAccessKeyCommand({ UserName: "alice", AccessKeyId }))).rejects.toMatchObject({ name: "NoSuchEntityException", message: `The Access Key with id ${AccessKeyId} cannot be found.` });
    await deleteUser();
    expect((await iam().listUsers(new ListUsersCommand({}))).Users).toEqual([]);
  });

  test("a user without a name is the one who calls", async () => {
    await iam().createUser(new CreateUserCommand({ UserName: "alice" }));
    await iam().putUserPolicy(new PutUserPolicyCommand({ UserName: "alice", PolicyName: "all", PolicyDocument: ALLOW_ALL }));
    const caller = { kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:user/alice` } as const;
    expect((await iam().getUser(new GetUserCommand({}), { caller })).User?.UserName).toBe("alice");
    expect((await iam().createAccessKey(new CreateAccessKeyCommand({}), { caller })).AccessKey?.UserName).toBe("alice");
    expect((await iam().getUser(new GetUserCommand({}))).User).toMatchObject({ Arn: `arn:aws:iam::${ACCOUNT}:root`, UserId: ACCOUNT });
    await expect(iam().createAccessKey(new CreateAccessKeyCommand({}))).rejects.toMatchObject({ name: "ValidationError", message: "Must specify userName when calling with non-User credentials" });
  });

  test("a user keeps its id, keys and groups under another name", async () => {
    const { User } = await iam().createUser(new CreateUserCommand({ UserName: "alice" }));
    await iam().createAccessKey(new CreateAccessKeyCommand({ UserName: "alice" }));
    await iam().updateUser(new UpdateUserCommand({ UserName: "alice", NewUserName: "alicia", NewPath: "/x/" }));
    expect((await iam().getUser(new GetUserCommand({ UserName: "alicia" }))).User).toMatchObject({ UserId: User?.UserId, Arn: `arn:aws:iam::${ACCOUNT}:user/x/alicia` });
    expect((await iam().listAccessKeys(new ListAccessKeysCommand({ UserName: "alicia" }))).AccessKeyMetadata).toHaveLength(1);
    await expect(iam().getUser(new GetUserCommand({ UserName: "alice" }))).rejects.toMatchObject({ message: "The user with name alice cannot be found." });
  });

  test("a group's policies are its users'", async () => {
    await iam().createUser(new CreateUserCommand({ UserName: "alice" }));
    await iam().createGroup(new CreateGroupCommand({ GroupName: "Senders" }));
    await iam().attachGroupPolicy(new AttachGroupPolicyCommand({ GroupName: "Senders", PolicyArn: "arn:aws:iam::aws:policy/AmazonSQSFullAccess" }));
    const question = { action: "sqs:SendMessage", resource: "arn:aws:sqs:us-east-1:888888888888:q", caller: { kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:user/alice` } } as const;
    expect(iam().authorize(question).value).toBe("ImplicitDeny");
    await iam().addUserToGroup(new AddUserToGroupCommand({ GroupName: "Senders", UserName: "alice" }));
    const decision = iam().authorize(question);
    expect(decision.value).toBe("Allow");
    expect(decision.explain()).toBe(
      `Allowed: statement 0 of the managed policy arn:aws:iam::aws:policy/AmazonSQSFullAccess of group Senders allows sqs:SendMessage on ${question.resource} for ${question.caller.arn}.`,
    );
    expect((await iam().getGroup(new GetGroupCommand({ GroupName: "Senders" }))).Users?.map(({ UserName }) => UserName)).toEqual(["alice"]);
    expect((await iam().listGroupsForUser(new ListGroupsForUserCommand({ UserName: "alice" }))).Groups?.map(({ GroupName }) => GroupName)).toEqual(["Senders"]);
    const inGroup = { name: "DeleteConflictException", message: "Cannot delete entity, must remove users from group first." };
    await expect(iam().deleteGroup(new DeleteGroupCommand({ GroupName: "Senders" }))).rejects.toMatchObject(inGroup);
    await expect(iam().deleteUser(new DeleteUserCommand({ UserName: "alice" }))).rejects.toMatchObject(inGroup);
    await iam().removeUserFromGroup(new RemoveUserFromGroupCommand({ GroupName: "Senders", UserName: "alice" }));
    expect(iam().authorize(question).value).toBe("ImplicitDeny");
  });
});

describe("managed policies", () => {
  test("the version in force decides", async () => {
    await iam().createUser(new CreateUserCommand({ UserName: "alice" }));
    const { Policy } = await iam().createPolicy(new CreatePolicyCommand({ PolicyName: "orders", Path: "/app/", Description: "d", PolicyDocument: SEND }));
    const PolicyArn = Policy?.Arn;
    expect(Policy).toMatchObject({ PolicyName: "orders", Arn: `arn:aws:iam::${ACCOUNT}:policy/app/orders`, Path: "/app/", DefaultVersionId: "v1", AttachmentCount: 0, IsAttachable: true, CreateDate: START });
    expect(Policy?.PolicyId).toMatch(/^ANPA[A-Z2-7]{17}$/);
    await iam().attachUserPolicy(new AttachUserPolicyCommand({ UserName: "alice", PolicyArn }));
    const value = (action: string) => iam().authorize({ action, resource: "*", caller: { kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:user/alice` } }).value;
    expect([value("sqs:SendMessage"), value("sqs:ReceiveMessage")]).toEqual(["Allow", "ImplicitDeny"]);

    const receive = SEND.replace("SendMessage", "ReceiveMessage");
    const { PolicyVersion } = await iam().createPolicyVersion(new CreatePolicyVersionCommand({ PolicyArn, PolicyDocument: receive }));
    expect(PolicyVersion).toMatchObject({ VersionId: "v2", IsDefaultVersion: false });
    expect(value("sqs:ReceiveMessage")).toBe("ImplicitDeny");
    await iam().setDefaultPolicyVersion(new SetDefaultPolicyVersionCommand({ PolicyArn, VersionId: "v2" }));
    expect([value("sqs:SendMessage"), value("sqs:ReceiveMessage")]).toEqual(["ImplicitDeny", "Allow"]);
    const { PolicyVersion: read } = await iam().getPolicyVersion(new GetPolicyVersionCommand({ PolicyArn, VersionId: "v2" }));
    expect(decodeURIComponent(read?.Document ?? "")).toBe(receive);
    await expect(iam().getPolicyVersion(new GetPolicyVersionCommand({ PolicyArn, VersionId: "v9" }))).rejects.toMatchObject({ name: "NoSuchEntityException" });

    for (let version = 3; version <= 5; version++) await iam().createPolicyVersion(new CreatePolicyVersionCommand({ PolicyArn, PolicyDocument: SEND }));
    await expect(iam().createPolicyVersion(new CreatePolicyVersionCommand({ PolicyArn, PolicyDocument: SEND }))).rejects.toMatchObject({
      name: "LimitExceededException",
      message: "A managed policy can have up to 5 versions. Before you create a new version, you must delete an existing version.",
    });
    await expect(iam().deletePolicyVersion(new DeletePolicyVersionCommand({ PolicyArn, VersionId: "v2" }))).rejects.toMatchObject({ name: "DeleteConflictException", message: "Cannot delete the default version of a policy." });
    await iam().deletePolicyVersion(new DeletePolicyVersionCommand({ PolicyArn, VersionId: "v1" }));
    expect((await iam().createPolicyVersion(new CreatePolicyVersionCommand({ PolicyArn, PolicyDocument: SEND, SetAsDefault: true }))).PolicyVersion).toMatchObject({ VersionId: "v6", IsDefaultVersion: true });
    const { Versions } = await iam().listPolicyVersions(new ListPolicyVersionsCommand({ PolicyArn }));
    expect(Versions?.map(({ VersionId }) => VersionId)).toEqual(["v6", "v5", "v4", "v3", "v2"]);

    const { PolicyUsers, PolicyRoles } = await iam().listEntitiesForPolicy(new ListEntitiesForPolicyCommand({ PolicyArn }));
    expect([PolicyUsers?.map(({ UserName }) => UserName), PolicyRoles]).toEqual([["alice"], []]);
    await expect(iam().deletePolicy(new DeletePolicyCommand({ PolicyArn }))).rejects.toMatchObject({ name: "DeleteConflictException", message: "Cannot delete a policy attached to entities." });
    await expect(iam().createPolicy(new CreatePolicyCommand({ PolicyName: "Orders", PolicyDocument: SEND }))).rejects.toMatchObject({ message: "A policy called Orders already exists. Duplicate names are not allowed." });
  });

  test("AWS's own can be read and not changed", async () => {
    const PolicyArn = "arn:aws:iam::aws:policy/AdministratorAccess";
    expect((await iam().getPolicy(new GetPolicyCommand({ PolicyArn }))).Policy).toMatchObject({ PolicyName: "AdministratorAccess", DefaultVersionId: "v1", Path: "/" });
    const { PolicyVersion } = await iam().getPolicyVersion(new GetPolicyVersionCommand({ PolicyArn, VersionId: "v1" }));
    expect(JSON.parse(decodeURIComponent(PolicyVersion?.Document ?? ""))).toEqual(JSON.parse(ALLOW_ALL));
    await expect(iam().deletePolicy(new DeletePolicyCommand({ PolicyArn }))).rejects.toMatchObject({ name: "InvalidInputException" });
    await expect(iam().getPolicy(new GetPolicyCommand({ PolicyArn: "arn:aws:iam::aws:policy/Nothing" }))).rejects.toMatchObject({ name: "NoSuchEntityException", message: "Policy arn:aws:iam::aws:policy/Nothing was not found." });
    await iam().createPolicy(new CreatePolicyCommand({ PolicyName: "mine", PolicyDocument: SEND }));
    expect((await iam().listPolicies(new ListPoliciesCommand({ Scope: "Local" }))).Policies?.map(({ PolicyName }) => PolicyName)).toEqual(["mine"]);
    const { Policies, IsTruncated } = await iam().listPolicies(new ListPoliciesCommand({ Scope: "AWS", PathPrefix: "/service-role/" }));
    expect(IsTruncated).toBe(false);
    expect(Policies?.map(({ PolicyName }) => PolicyName)).toContain("AWSLambdaSQSQueueExecutionRole");
  });
});

test("dates are in whole seconds, as AWS sends them, though time is in milliseconds", async () => {
  simAws = new SimAws({ startTime: new Date("2026-03-01T10:00:00.789Z") });
  const { Role } = await createRole();
  const { User } = await iam().createUser(new CreateUserCommand({ UserName: "alice" }));
  const { Group } = await iam().createGroup(new CreateGroupCommand({ GroupName: "Senders" }));
  const { Policy } = await iam().createPolicy(new CreatePolicyCommand({ PolicyName: "send", PolicyDocument: SEND }));
  const { AccessKey } = await iam().createAccessKey(new CreateAccessKeyCommand({ UserName: "alice" }));
  const { AccessKeyMetadata: keys } = await iam().listAccessKeys(new ListAccessKeysCommand({ UserName: "alice" }));
  const { Versions: versions } = await iam().listPolicyVersions(new ListPolicyVersionsCommand({ PolicyArn: Policy?.Arn }));
  for (const shown of [Role, User, Group, Policy, AccessKey, keys?.[0], versions?.[0]]) expect(shown).toMatchObject({ CreateDate: START });
  const { Credentials } = await simAws.sts().getSessionToken(new GetSessionTokenCommand({ DurationSeconds: 900 }), { caller: { kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:user/alice` } });
  expect(Credentials?.Expiration).toEqual(new Date("2026-03-01T10:15:00Z"));
  expect(simAws.clock().now().getMilliseconds()).toBe(789);
});
