import { evaluatePolicies, type EvaluatePoliciesInput } from "sandstack/iam";

const ACCOUNT = "123456789012";
const OTHER = "210987654321";
const ORDERS = `arn:aws:sqs:us-east-1:${ACCOUNT}:orders`;

const USER = { type: "user", arn: `arn:aws:iam::${ACCOUNT}:user/alice`, account: ACCOUNT, userId: "AIDAALICE0000000000" } as const;
const ROLE_ARN = `arn:aws:iam::${ACCOUNT}:role/worker`;
const SESSION = { type: "session", arn: `arn:aws:sts::${ACCOUNT}:assumed-role/worker/s1`, account: ACCOUNT, roleArn: ROLE_ARN, userId: "AROAWORKER0000000000:s1" } as const;
const STRANGER = { type: "user", arn: `arn:aws:iam::${OTHER}:user/bob`, account: OTHER } as const;
const ROOT = { type: "root", arn: `arn:aws:iam::${ACCOUNT}:root`, account: ACCOUNT } as const;
const OTHER_ROOT = { type: "root", arn: `arn:aws:iam::${OTHER}:root`, account: OTHER } as const;
const SNS = { type: "service", arn: "sns.amazonaws.com" } as const;
const ANYBODY = { type: "anonymous", arn: "" } as const;

const policy = (...statements: object[]) => ({ Version: "2012-10-17", Statement: statements });
const ALLOW = policy({ Effect: "Allow", Action: "sqs:SendMessage", Resource: "*" });
const ALLOW_OTHER = policy({ Effect: "Allow", Action: "sqs:ReceiveMessage", Resource: "*" });
const DENY = policy({ Effect: "Deny", Action: "sqs:*", Resource: "*" });
const grant = (Principal: unknown, more: object = {}) => policy({ Effect: "Allow", Principal, Action: "sqs:SendMessage", Resource: ORDERS, ...more });
const refuse = (Principal: unknown, more: object = {}) => policy({ Effect: "Deny", Principal, Action: "sqs:SendMessage", Resource: ORDERS, ...more });

type Row = Omit<Partial<EvaluatePoliciesInput>, "principal"> & Pick<EvaluatePoliciesInput, "principal"> & { name: string; value: string; because?: string };

const BY_IDENTITY = "because no identity-based policy allows the sqs:SendMessage action";
const BY_RESOURCE = "because no resource-based policy allows the sqs:SendMessage action";
const BY_BOUNDARY = "because no permissions boundary allows the sqs:SendMessage action";
const BY_SESSION = "because no session policy allows the sqs:SendMessage action";

const rows: Row[] = [
  { name: "nothing allows", principal: USER, value: "ImplicitDeny", because: BY_IDENTITY },
  { name: "an identity policy allows", principal: USER, identityPolicies: [ALLOW_OTHER, ALLOW], value: "Allow", because: "" },
  { name: "an identity policy denies", principal: USER, identityPolicies: [ALLOW, DENY], value: "ExplicitDeny", because: "with an explicit deny in an identity-based policy" },
  { name: "the resource's policy denies", principal: USER, identityPolicies: [ALLOW], resourcePolicy: refuse("*"), value: "ExplicitDeny", because: "with an explicit deny in a resource-based policy" },
  { name: "the boundary denies", principal: USER, identityPolicies: [ALLOW], boundary: DENY, value: "ExplicitDeny", because: "with an explicit deny in a permissions boundary" },
  { name: "a session policy denies", principal: SESSION, identityPolicies: [ALLOW], sessionPolicies: [DENY], value: "ExplicitDeny", because: "with an explicit deny in a session policy" },
  { name: "the boundary does not allow", principal: USER, identityPolicies: [ALLOW], boundary: ALLOW_OTHER, value: "ImplicitDeny", because: BY_BOUNDARY },
  { name: "the boundary allows by itself", principal: USER, boundary: ALLOW, value: "ImplicitDeny", because: BY_IDENTITY },
  { name: "the boundary allows, too", principal: USER, identityPolicies: [ALLOW], boundary: ALLOW, value: "Allow" },
  { name: "the session policy does not allow", principal: SESSION, identityPolicies: [ALLOW], sessionPolicies: [ALLOW_OTHER], value: "ImplicitDeny", because: BY_SESSION },
  { name: "one of two session policies allows", principal: SESSION, identityPolicies: [ALLOW], sessionPolicies: [ALLOW_OTHER, ALLOW], value: "Allow" },
  { name: "the session policy allows by itself", principal: SESSION, sessionPolicies: [ALLOW], value: "ImplicitDeny", because: BY_IDENTITY },

  { name: "the resource names the user", principal: USER, resourcePolicy: grant({ AWS: USER.arn }), value: "Allow" },
  { name: "the resource names the user's unique id", principal: USER, resourcePolicy: grant({ AWS: USER.userId }), value: "Allow" },
  { name: "the resource names the user, whom a boundary does not limit", principal: USER, boundary: ALLOW_OTHER, resourcePolicy: grant({ AWS: USER.arn }), value: "Allow" },
  { name: "the resource names the account by its root", principal: USER, resourcePolicy: grant({ AWS: ROOT.arn }), value: "ImplicitDeny", because: BY_IDENTITY },
  { name: "the resource names the account by its id", principal: USER, resourcePolicy: grant({ AWS: ACCOUNT }), value: "ImplicitDeny" },
  { name: "the resource names the account, and the user may", principal: USER, identityPolicies: [ALLOW], resourcePolicy: grant({ AWS: ACCOUNT }), value: "Allow" },
  { name: "the resource names everybody", principal: USER, resourcePolicy: grant("*"), value: "Allow" },
  { name: "the resource names everybody in AWS", principal: USER, resourcePolicy: grant({ AWS: "*" }), value: "Allow" },
  { name: "the resource names another", principal: USER, resourcePolicy: grant({ AWS: STRANGER.arn }), value: "ImplicitDeny" },
  { name: "a wildcard inside a principal's ARN means nobody", principal: USER, resourcePolicy: grant({ AWS: `arn:aws:iam::${ACCOUNT}:user/*` }), value: "ImplicitDeny" },
  { name: "a statement on a resource without a principal means nobody", principal: USER, resourcePolicy: grant(undefined), value: "ImplicitDeny" },

  { name: "the resource names the session", principal: SESSION, boundary: ALLOW_OTHER, sessionPolicies: [ALLOW_OTHER], resourcePolicy: grant({ AWS: SESSION.arn }), value: "Allow" },
  { name: "the resource names the role", principal: SESSION, resourcePolicy: grant({ AWS: ROLE_ARN }), value: "Allow" },
  { name: "the resource names the role's unique id", principal: SESSION, resourcePolicy: grant({ AWS: "AROAWORKER0000000000" }), value: "Allow" },
  { name: "the resource names the role, whom a boundary limits", principal: SESSION, boundary: ALLOW_OTHER, resourcePolicy: grant({ AWS: ROLE_ARN }), value: "ImplicitDeny", because: BY_BOUNDARY },
  { name: "the resource names the role, whom a session policy limits", principal: SESSION, sessionPolicies: [ALLOW_OTHER], resourcePolicy: grant({ AWS: ROLE_ARN }), value: "ImplicitDeny", because: BY_SESSION },
  { name: "the resource names the role by aws:PrincipalArn, whom no boundary limits", principal: SESSION, boundary: ALLOW_OTHER, resourcePolicy: grant("*", { Condition: { ArnEquals: { "aws:PrincipalArn": ROLE_ARN } } }), value: "Allow" },
  { name: "aws:PrincipalArn of a session is its role's", principal: SESSION, resourcePolicy: grant("*", { Condition: { ArnEquals: { "aws:PrincipalArn": SESSION.arn } } }), value: "ImplicitDeny" },
  { name: "the resource refuses the role", principal: SESSION, identityPolicies: [ALLOW], resourcePolicy: refuse({ AWS: ROLE_ARN }), value: "ExplicitDeny" },
  { name: "the resource refuses the account", principal: SESSION, identityPolicies: [ALLOW], resourcePolicy: refuse({ AWS: ACCOUNT }), value: "ExplicitDeny" },

  { name: "across accounts, the resource alone", principal: STRANGER, resourcePolicy: grant({ AWS: STRANGER.arn }), value: "ImplicitDeny", because: BY_IDENTITY },
  { name: "across accounts, the identity alone", principal: STRANGER, identityPolicies: [ALLOW], value: "ImplicitDeny", because: BY_RESOURCE },
  { name: "across accounts, both", principal: STRANGER, identityPolicies: [ALLOW], resourcePolicy: grant({ AWS: OTHER }), value: "Allow" },
  { name: "across accounts, both and a boundary that does not allow", principal: STRANGER, identityPolicies: [ALLOW], boundary: ALLOW_OTHER, resourcePolicy: grant({ AWS: STRANGER.arn }), value: "ImplicitDeny", because: BY_BOUNDARY },
  { name: "another account's root, whom the resource names", principal: OTHER_ROOT, resourcePolicy: grant({ AWS: OTHER }), value: "Allow" },
  { name: "another account's root, whom the resource does not name", principal: OTHER_ROOT, resourcePolicy: grant({ AWS: ACCOUNT }), value: "ImplicitDeny", because: BY_RESOURCE },

  { name: "the root in its account", principal: ROOT, value: "Allow" },
  { name: "the root, whom the resource refuses", principal: ROOT, resourcePolicy: refuse("*"), value: "ExplicitDeny" },
  { name: "a service without a policy on the resource", principal: SNS, identityPolicies: [ALLOW], value: "ImplicitDeny", because: BY_RESOURCE },
  { name: "a service that the resource names", principal: SNS, resourcePolicy: grant({ Service: "sns.amazonaws.com" }), value: "Allow" },
  { name: "another service", principal: SNS, resourcePolicy: grant({ Service: ["s3.amazonaws.com", "events.amazonaws.com"] }), value: "ImplicitDeny" },
  { name: "a service among everybody", principal: SNS, resourcePolicy: grant("*"), value: "Allow" },
  { name: "a service on behalf of the topic wanted", principal: SNS, resourcePolicy: grant({ Service: "sns.amazonaws.com" }, { Condition: { ArnEquals: { "aws:SourceArn": "arn:aws:sns:us-east-1:123456789012:news" } } }), context: { "aws:SourceArn": "arn:aws:sns:us-east-1:123456789012:news" }, value: "Allow" },
  { name: "a service on behalf of another topic", principal: SNS, resourcePolicy: grant({ Service: "sns.amazonaws.com" }, { Condition: { ArnEquals: { "aws:SourceArn": "arn:aws:sns:us-east-1:123456789012:news" } } }), context: { "aws:SourceArn": "arn:aws:sns:us-east-1:123456789012:old" }, value: "ImplicitDeny" },
  { name: "an anonymous caller", principal: ANYBODY, resourcePolicy: grant("*"), value: "Allow" },
  { name: "an anonymous caller, not named", principal: ANYBODY, resourcePolicy: grant({ AWS: ACCOUNT }), value: "ImplicitDeny" },
  { name: "a federated identity", principal: { type: "federated", arn: "cognito-identity.amazonaws.com" }, resourcePolicy: grant({ Federated: "cognito-identity.amazonaws.com" }), value: "Allow" },
  { name: "a canonical user", principal: { type: "canonical", arn: "79a59df900b949e5" }, resourcePolicy: grant({ CanonicalUser: "79a59df900b949e5" }), value: "Allow" },

  { name: "NotPrincipal spares the user with its account", principal: USER, identityPolicies: [ALLOW], resourcePolicy: refuse(undefined, { NotPrincipal: { AWS: [USER.arn, ACCOUNT] } }), value: "Allow" },
  { name: "NotPrincipal without the account spares nobody in it", principal: USER, identityPolicies: [ALLOW], resourcePolicy: refuse(undefined, { NotPrincipal: { AWS: [USER.arn] } }), value: "ExplicitDeny" },
  { name: "NotPrincipal without the user", principal: USER, identityPolicies: [ALLOW], resourcePolicy: refuse(undefined, { NotPrincipal: { AWS: [ACCOUNT] } }), value: "ExplicitDeny" },
  { name: "NotPrincipal spares a session with its role and account", principal: SESSION, identityPolicies: [ALLOW], resourcePolicy: refuse(undefined, { NotPrincipal: { AWS: [SESSION.arn, ROLE_ARN, ACCOUNT] } }), value: "Allow" },
  { name: "NotPrincipal spares a service", principal: SNS, resourcePolicy: policy({ Effect: "Allow", Principal: "*", Action: "*", Resource: "*" }, { Effect: "Deny", NotPrincipal: { Service: "sns.amazonaws.com" }, Action: "*", Resource: "*" }), value: "Allow" },

  { name: "a trust policy that names the account needs the identity's allow", principal: USER, action: "sts:AssumeRole", resource: ROLE_ARN, resourcePolicy: policy({ Effect: "Allow", Principal: { AWS: ACCOUNT }, Action: "sts:AssumeRole" }), value: "ImplicitDeny" },
  { name: "a trust policy that names the user suffices", principal: USER, action: "sts:AssumeRole", resource: ROLE_ARN, resourcePolicy: policy({ Effect: "Allow", Principal: { AWS: USER.arn }, Action: "sts:AssumeRole" }), value: "Allow" },
  { name: "no identity policy opens a role that does not trust", principal: USER, action: "sts:AssumeRole", resource: ROLE_ARN, identityPolicies: [policy({ Effect: "Allow", Action: "*", Resource: "*" })], resourcePolicy: policy({ Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" }), value: "ImplicitDeny" },
];

test.each(rows)("$name: $value", ({ name: _name, value, because, ...input }) => {
  const decision = evaluatePolicies({ resourceAccount: ACCOUNT, action: "sqs:SendMessage", resource: ORDERS, ...input });
  expect(decision.value).toBe(value);
  if (because !== undefined) expect(decision.because).toBe(because);
  expect({ isAllowed: decision.isAllowed, isDenied: decision.isDenied, isExplicitDeny: decision.isExplicitDeny, isImplicitDeny: decision.isImplicitDeny }).toEqual({
    isAllowed: value === "Allow",
    isDenied: value !== "Allow",
    isExplicitDeny: value === "ExplicitDeny",
    isImplicitDeny: value === "ImplicitDeny",
  });
  expect(decision.explain()).toMatch(value === "Allow" ? /^Allowed: / : /^Denied: /);
});

test("a decision names the statements that apply, by side", () => {
  const decision = evaluatePolicies({
    principal: USER,
    identityPolicies: [policy({ Sid: "Receive", Effect: "Allow", Action: "sqs:ReceiveMessage", Resource: "*" }, { Sid: "Send", Effect: "Allow", Action: "sqs:Send*", Resource: "*" })],
    resourcePolicy: policy({ Effect: "Allow", Principal: { AWS: ACCOUNT }, Action: "sqs:*", Resource: ORDERS }, { Sid: "No", Effect: "Deny", Principal: "*", Action: "sqs:*", Resource: ORDERS }),
    boundary: ALLOW,
    resourceAccount: ACCOUNT,
    action: "sqs:SendMessage",
    resource: ORDERS,
  });
  expect(decision.matchingStatements).toEqual({
    identity: [{ effect: "Allow", sid: "Send", index: 1, policyName: undefined, policyArn: undefined }],
    resource: [
      { effect: "Allow", sid: undefined, index: 0, policyName: undefined, policyArn: undefined },
      { effect: "Deny", sid: "No", index: 1, policyName: undefined, policyArn: undefined },
    ],
    boundary: [{ effect: "Allow", sid: undefined, index: 0, policyName: undefined, policyArn: undefined }],
    session: [],
  });
  expect(decision.explain()).toBe(`Denied: statement "No" of the resource's policy denies sqs:SendMessage on ${ORDERS} for ${USER.arn}.`);
});

test.each([
  {
    name: "the statement allows another resource",
    statement: { Sid: "Elsewhere", Effect: "Allow", Action: "sqs:SendMessage", Resource: "arn:aws:sqs:us-east-1:123456789012:other" },
    says: `Statement "Elsewhere" of the identity policy allows sqs:SendMessage, but on arn:aws:sqs:us-east-1:123456789012:other.`,
  },
  {
    name: "the condition fails on a value",
    statement: { Effect: "Allow", Action: "sqs:*", Resource: "*", Condition: { StringEquals: { "aws:RequestedRegion": ["eu-west-1", "eu-west-2"] } } },
    says: `Statement 0 of the identity policy allows sqs:SendMessage, but only when StringEquals aws:RequestedRegion "eu-west-1" or "eu-west-2"; the request has "us-east-1".`,
  },
  {
    name: "the condition fails on a missing key",
    statement: { Effect: "Allow", Action: "sqs:*", Resource: "*", Condition: { Bool: { "aws:MultiFactorAuthPresent": true } } },
    says: `Statement 0 of the identity policy allows sqs:SendMessage, but only when Bool aws:MultiFactorAuthPresent "true"; the request has no aws:MultiFactorAuthPresent.`,
  },
  {
    name: "the document is too old for its variables",
    version: "2008-10-17",
    statement: { Effect: "Allow", Action: "sqs:*", Resource: "arn:aws:sqs:*:*:${aws:PrincipalAccount}" },
    says: `Statement 0 of the identity policy allows sqs:SendMessage, but on arn:aws:sqs:*:*:\${aws:PrincipalAccount} (taken as it stands: policy variables need "Version": "2012-10-17").`,
  },
])("a refusal says what came near: $name", ({ statement, says, version = "2012-10-17" }) => {
  const decision = evaluatePolicies({
    principal: USER,
    identityPolicies: [{ Version: version, Statement: statement }],
    resourceAccount: ACCOUNT,
    action: "sqs:SendMessage",
    resource: ORDERS,
    context: { "aws:RequestedRegion": "us-east-1" },
  });
  expect(decision.explain()).toBe(`Denied: no identity-based policy allows sqs:SendMessage on ${ORDERS} for ${USER.arn}. ${says}`);
});

test("a policy that is no JSON object is refused by name", () => {
  const evaluate = (text: string) => () => evaluatePolicies({ principal: USER, identityPolicies: [text], resourceAccount: ACCOUNT, action: "sqs:SendMessage", resource: ORDERS });
  expect(evaluate("{")).toThrow(expect.objectContaining({ name: "SimMalformedPolicy", message: expect.stringContaining("A policy is not JSON") }));
  expect(evaluate("[]")).toThrow(expect.objectContaining({ name: "SimMalformedPolicy", message: "A policy is a JSON object; this is none: []" }));
});
