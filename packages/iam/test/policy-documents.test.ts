import { CreatePolicyCommand, CreateRoleCommand, GetPolicyCommand, PutRolePolicyCommand, ListRolePoliciesCommand } from "@aws-sdk/client-iam";
import { SimAws } from "sandstack";
import { SimIamMalformedPolicyDocument, policyFault } from "sandstack/iam";

const good = { Effect: "Allow", Action: "s3:ListBucket", Resource: "arn:aws:s3:::bucket" };
const SYNTAX = "Syntax errors in policy.";
const LEGACY = "The policy failed legacy parsing";
const VENDOR = "Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.";
const VERSION = "Policy document must be version 2012-10-17 or greater.";

/** A managed policy's document of one statement, with changes; a member set to `undefined` is left out. */
const one = (changes: object = {}, document: object = {}) => ({ Version: "2012-10-17", Statement: { ...good, ...changes }, ...document });

const rows: { name: string; document: unknown; fault: string | undefined }[] = [
  { name: "one statement", document: one(), fault: undefined },
  { name: "a list of statements", document: { Version: "2012-10-17", Id: "x", Statement: [good, good] }, fault: undefined },
  { name: "stars", document: one({ Action: "*", Resource: ["arn:aws:s3:::bucket", "*"] }), fault: undefined },
  { name: "NotAction and NotResource", document: one({ Action: undefined, NotAction: "s3:*", Resource: undefined, NotResource: "*" }), fault: undefined },
  { name: "variables", document: one({ Resource: "arn:aws:iam::*:user/${aws:username}" }), fault: undefined },
  { name: "conditions", document: one({ Condition: { "ForAllValues:StringEqualsIfExists": { "aws:TagKeys": ["a"] }, Bool: { "aws:SecureTransport": false }, NumericLessThan: { "s3:max-keys": 10 } } }), fault: undefined },
  { name: "an operator without keys", document: one({ Condition: { x: {} } }), fault: undefined },
  { name: "a date of epoch seconds", document: one({ Condition: { DateLessThan: { "aws:CurrentTime": "1714564800" } } }), fault: undefined },
  { name: "an ARN of three parts", document: one({ Resource: "arn:aws:unknown" }), fault: undefined },
  { name: "another partition", document: one({ Resource: "arn:aws-cn:s3:::bucket" }), fault: undefined },

  { name: "no JSON", document: "nothing", fault: SYNTAX },
  { name: "a list", document: [], fault: SYNTAX },
  { name: "no statement", document: { Version: "2012-10-17" }, fault: SYNTAX },
  { name: "an empty list of statements", document: { Version: "2012-10-17", Statement: [] }, fault: SYNTAX },
  { name: "a text as statement", document: { Version: "2012-10-17", Statement: ["x"] }, fault: SYNTAX },
  { name: "an unknown member", document: one({}, { More: 1 }), fault: SYNTAX },
  { name: "an unknown member of a statement", document: one({ More: 1 }), fault: SYNTAX },
  { name: "an unknown version", document: one({}, { Version: "2013-10-17" }), fault: SYNTAX },
  { name: "an id that is no text", document: one({}, { Id: {} }), fault: SYNTAX },
  { name: "an unknown effect", document: one({ Effect: "Maybe" }), fault: SYNTAX },
  { name: "no effect", document: one({ Effect: undefined }), fault: SYNTAX },
  { name: "a Sid that is no text", document: one({ Sid: [] }), fault: SYNTAX },
  { name: "Action and NotAction", document: one({ NotAction: "s3:*" }), fault: SYNTAX },
  { name: "Resource and NotResource", document: one({ NotResource: "*" }), fault: SYNTAX },
  { name: "a list of lists of actions", document: one({ Action: [[]] }), fault: SYNTAX },
  { name: "an object as resource", document: one({ Resource: { a: "b" } }), fault: SYNTAX },
  { name: "a condition that is a list", document: one({ Condition: [] }), fault: SYNTAX },
  { name: "a condition without keys", document: one({ Condition: { StringEquals: "b" } }), fault: SYNTAX },
  { name: "an unknown operator", document: one({ Condition: { StringIs: { a: "b" } } }), fault: SYNTAX },
  { name: "a quantifier with two colons", document: one({ Condition: { "ForAnyValue::StringEquals": { a: "b" } } }), fault: SYNTAX },
  { name: "a condition's value that is an object", document: one({ Condition: { StringEquals: { a: {} } } }), fault: SYNTAX },

  { name: "no version", document: { Statement: good }, fault: VERSION },
  { name: "the old version", document: one({}, { Version: "2008-10-17" }), fault: VERSION },
  { name: "an effect in another case", document: one({ Effect: "allow" }), fault: LEGACY },
  { name: "a date that is none", document: one({ Condition: { DateGreaterThan: { "aws:CurrentTime": "soon" } } }), fault: LEGACY },
  { name: "a date of a month that is none", document: one({ Condition: { DateLessThanEquals: { "aws:CurrentTime": "234-13" } } }), fault: LEGACY },
  { name: "an ARN of five parts", document: one({ Resource: "arn:aws:s3::bucket" }), fault: LEGACY },
  { name: "an ARN without a service", document: one({ Resource: "arn:aws::::bucket" }), fault: LEGACY },
  { name: "two statements of one Sid", document: { Version: "2012-10-17", Statement: [{ Sid: "a", ...good }, { Sid: "a", ...good }] }, fault: "Statement IDs (SID) in a single policy must be unique." },
  { name: "a Sid with a blank", document: one({ Sid: "a b" }), fault: "Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression [0-9A-Za-z]*" },
  { name: "a principal", document: one({ Principal: "*" }), fault: "Policy document should not specify a principal." },
  { name: "no action", document: one({ Action: undefined }), fault: "Policy statement must contain actions." },
  { name: "an empty list of actions", document: one({ Action: [] }), fault: "Policy statement must contain actions." },
  { name: "no resource", document: one({ Resource: undefined }), fault: "Policy statement must contain resources." },
  { name: "an action without a service", document: one({ Action: "ListBucket" }), fault: VENDOR },
  { name: "an empty action", document: one({ Action: undefined, NotAction: "" }), fault: VENDOR },
  { name: "a service with a blank", document: one({ Action: "a a:ListBucket" }), fault: "Vendor a a is not valid" },
  { name: "an action with two colons", document: one({ Action: "s3:List:Bucket" }), fault: "Actions/Condition can contain only one colon." },
  { name: "a resource that is no ARN", document: one({ Resource: "bucket" }), fault: 'Resource bucket must be in ARN format or "*".' },
  { name: "an empty resource", document: one({ Resource: "" }), fault: 'Resource  must be in ARN format or "*".' },
  { name: "resources are looked at before actions", document: one({ Resource: "bucket", Action: "x" }), fault: 'Resource bucket must be in ARN format or "*".' },
  { name: "an unknown partition", document: one({ Resource: "arn:mars:s3:::bucket" }), fault: 'Partition "mars" is not valid for resource "arn:mars:s3:::bucket".' },
  { name: "an unknown partition of a short ARN", document: one({ Resource: "a:b:c" }), fault: 'Partition "b" is not valid for resource "arn:b:c:*:*:*".' },
  { name: "an ARN that ends at the partition", document: one({ Resource: "arn:aws" }), fault: "Resource vendor must be fully qualified and cannot contain regexes." },
  { name: "a region in an ARN of IAM", document: one({ Resource: "arn:aws:iam:us-east-1::user/x" }), fault: "IAM resource arn:aws:iam:us-east-1::user/x cannot contain region information." },
  { name: "a region in an ARN of S3", document: one({ Resource: "arn:aws:s3:us-east-1::bucket" }), fault: "Resource arn:aws:s3:us-east-1::bucket can not contain region information." },
  {
    name: "an ARN of IAM of no kind",
    document: one({ Resource: "arn:aws:iam:::bucket" }),
    fault: 'IAM resource path must either be "*" or start with user/, federated-user/, role/, group/, instance-profile/, mfa/, server-certificate/, policy/, sms-mfa/, saml-provider/, oidc-provider/, report/, access-report/.',
  },
];

test.each(rows)("a managed policy of $name: $fault", async ({ document, fault }) => {
  const simAws = new SimAws();
  const PolicyDocument = typeof document === "string" ? document : JSON.stringify(document);
  const made = simAws.iam().createPolicy(new CreatePolicyCommand({ PolicyName: "p", PolicyDocument }));
  if (fault === undefined) return void (await made);
  await expect(made).rejects.toMatchObject({ name: "MalformedPolicyDocumentException", message: fault, Code: "MalformedPolicyDocument", $metadata: { httpStatusCode: 400 } });
  await expect(made).rejects.toBeInstanceOf(SimIamMalformedPolicyDocument);
  await expect(simAws.iam().getPolicy(new GetPolicyCommand({ PolicyArn: "arn:aws:iam::888888888888:policy/p" }))).rejects.toThrow("was not found");
});

test("an inline policy may be of the old version, or of none", async () => {
  const simAws = new SimAws();
  await simAws.iam().createRole(new CreateRoleCommand({ RoleName: "r", AssumeRolePolicyDocument: JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: "*", Action: "sts:AssumeRole" }] }) }));
  for (const document of [{ Statement: good }, { Version: "2008-10-17", Statement: good }]) {
    await simAws.iam().putRolePolicy(new PutRolePolicyCommand({ RoleName: "r", PolicyName: "p", PolicyDocument: JSON.stringify(document) }));
  }
  const put = simAws.iam().putRolePolicy(new PutRolePolicyCommand({ RoleName: "r", PolicyName: "q", PolicyDocument: JSON.stringify({ Version: "2012-10-17", Statement: { ...good, Action: "x" } }) }));
  await expect(put).rejects.toMatchObject({ name: "MalformedPolicyDocumentException", message: VENDOR });
  expect((await simAws.iam().listRolePolicies(new ListRolePoliciesCommand({ RoleName: "r" }))).PolicyNames).toEqual(["p"]);
});

test.each([
  { name: "a service", statement: { Principal: { Service: "lambda.amazonaws.com" } }, fault: undefined },
  { name: "an account, a role and a session", statement: { Principal: { AWS: ["123456789012", "arn:aws:iam::123456789012:role/x/y", "arn:aws:sts::123456789012:assumed-role/x/s"] } }, fault: undefined },
  { name: "a web identity", statement: { Principal: { Federated: "cognito-identity.amazonaws.com" }, Action: "sts:AssumeRoleWithWebIdentity" }, fault: undefined },
  { name: "session tags", statement: { Principal: "*", Action: ["sts:AssumeRole", "sts:TagSession"] }, fault: undefined },
  { name: "no JSON", statement: "{", fault: "This policy contains invalid Json" },
  { name: "a resource", statement: { Principal: "*", Resource: "*" }, fault: "Has prohibited field Resource" },
  { name: "no principal", statement: {}, fault: "Missing required field Principal" },
  { name: "a principal of an unknown kind", statement: { Principal: { Human: "x" } }, fault: "Missing required field Principal" },
  { name: "no action", statement: { Principal: "*", Action: undefined }, fault: "Policy statement must contain actions." },
  { name: "another service's action", statement: { Principal: "*", Action: "sqs:SendMessage" }, fault: "AssumeRole policy may only specify STS AssumeRole actions." },
  { name: "every action", statement: { Principal: "*", Action: "*" }, fault: "AssumeRole policy may only specify STS AssumeRole actions." },
  { name: "a wildcard in a principal", statement: { Principal: { AWS: "arn:aws:iam::123456789012:role/*" } }, fault: 'Invalid principal in policy: "AWS":"arn:aws:iam::123456789012:role/*"' },
])("a trust policy of $name: $fault", async ({ statement, fault }) => {
  const simAws = new SimAws();
  const AssumeRolePolicyDocument = typeof statement === "string" ? statement : JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", ...statement }] });
  const made = simAws.iam().createRole(new CreateRoleCommand({ RoleName: "r", AssumeRolePolicyDocument }));
  if (fault === undefined) await made;
  else await expect(made).rejects.toMatchObject({ name: "MalformedPolicyDocumentException", message: fault });
});

test("a policy of a resource must name a principal, actions and resources", () => {
  const statement = { Sid: "any text: this", Effect: "Allow", Principal: { AWS: "*" }, Action: "sqs:*", Resource: "arn:aws:sqs:us-east-1:123456789012:q" };
  const fault = (changes: object) => policyFault(JSON.stringify({ Statement: { ...statement, ...changes } }), "resource");
  expect(fault({})).toBeUndefined();
  expect(fault({ Principal: undefined })).toBe("Missing required field Principal");
  expect(fault({ Action: undefined })).toBe("Policy statement must contain actions.");
  expect(fault({ Resource: undefined })).toBe("Policy statement must contain resources.");
});
