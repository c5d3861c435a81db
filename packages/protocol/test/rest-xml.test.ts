import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketAclCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  NoSuchKey,
  NotFound,
  PutBucketAclCommand,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { SignatureV4 } from "@smithy/signature-v4";
import { Sha256 } from "@smithy/core/checksum";
import fc from "fast-check";
import { awsError, operation, World, type ServiceDefinition } from "@sandstack/core";
import { SimAws } from "sandstack";
import { startHttpServer, type HttpServer } from "../src/http-server.js";
import { mintCredentials } from "../src/identity.js";
import { SdkRequestHandler } from "../src/request-handler.js";
import { routeRequest } from "../src/route.js";
import { wireServicesOf } from "../src/services.js";
import { parseXml } from "../src/xml-parser.js";
import { xmlText } from "../src/xml.js";
import { travel, type RoundTrip } from "./round-trip.js";
import { worldOf } from "./world.js";

const ACCOUNT = "888888888888";
const bytes = new Uint8Array([0, 1, 254, 255]);
const whole = new Date("2025-11-24T23:11:18.000Z");
const awkward = "<a & \"b\" 'c'>\r\n\té€😀";

/** By bucket, then by key. */
type Objects = Map<string, Map<string, Uint8Array>>;

interface ObjectInput {
  readonly Bucket: string;
  readonly Key: string;
  readonly Body?: Uint8Array;
  readonly ChecksumCRC32?: string;
}

function bucketOf(objects: Objects, Bucket: string): Map<string, Uint8Array> {
  const bucket = objects.get(Bucket);
  if (bucket === undefined) throw awsError("@aws-sdk/client-s3", { name: "NoSuchBucket", httpStatusCode: 404 }, "The specified bucket does not exist");
  return bucket;
}

function objectOf(objects: Objects, { Bucket, Key }: ObjectInput): Uint8Array {
  const found = bucketOf(objects, Bucket).get(Key);
  if (found === undefined) throw awsError("@aws-sdk/client-s3", { name: "NoSuchKey", httpStatusCode: 404 }, "The specified key does not exist.");
  return found;
}

/** A service that keeps objects, and declares how it is spoken to: the wire needs no more. */
const objectService: ServiceDefinition<Objects> = {
  id: "s3",
  reach: "account",
  wire: { protocols: ["restXml"], xmlNamespace: "http://s3.amazonaws.com/doc/2006-03-01/", hostLabel: "Bucket", isOpenToStrangers: true },
  emptyState: () => new Map(),
  operations: [
    operation<Objects, { Bucket: string }, object>({ name: "CreateBucket", run: ({ state }, { Bucket }) => (state.set(Bucket, new Map()), { Location: `/${Bucket}` }) }),
    operation<Objects, object, object>({ name: "ListBuckets", run: ({ state }) => ({ Buckets: [...state.keys()].map((Name) => ({ Name, CreationDate: whole })) }) }),
    operation<Objects, ObjectInput, object>({ name: "PutObject", run: ({ state }, { Bucket, Key, Body = bytes, ChecksumCRC32 }) => (bucketOf(state, Bucket).set(Key, Body), { ChecksumCRC32 }) }),
    operation<Objects, ObjectInput, object>({ name: "GetObject", run: ({ state }, input) => ({ Body: objectOf(state, input), ContentType: "text/plain", Metadata: { a: "b" }, LastModified: whole }) }),
    operation<Objects, ObjectInput, object>({ name: "HeadObject", run: ({ state }, input) => ({ ContentLength: objectOf(state, input).length }) }),
    operation<Objects, { Bucket: string; Delete: { Objects: { Key: string }[] } }, object>({
      name: "DeleteObjects",
      run: ({ state }, { Bucket, Delete }) => ({ Deleted: Delete.Objects.filter(({ Key }) => bucketOf(state, Bucket).delete(Key)) }),
    }),
  ],
  accessDenied: () => awsError("@aws-sdk/client-s3", { name: "AccessDenied", httpStatusCode: 403 }, "Access Denied"),
};

function newWorld(): World {
  const services = [...worldOf(new SimAws()).services.values()].map(({ definition }) => definition);
  return new World({ services: [...services, objectService], seed: "s3", clock: "manual", iam: "enforce" });
}

const s3 = (config: object) => new S3Client(config);
const upload = { Bucket: "orders", Key: "a", UploadId: "u" };

const roundTrips: RoundTrip[] = [
  {
    name: "metadata in headers, the payload in bytes",
    client: s3,
    command: new PutObjectCommand({ Bucket: "orders", Key: "a b/ü//c&d", Body: bytes, Metadata: { one: "1" }, Expires: whole, ChecksumSHA256: "x", ContentType: "a/b", CacheControl: "no-cache", Tagging: "k=v" }),
    input: { Bucket: "orders", Key: "a b/ü//c&d", Body: bytes, Metadata: { one: "1" }, Expires: whole, ChecksumSHA256: "x", ContentType: "a/b", CacheControl: "no-cache", Tagging: "k=v", ContentLength: 4 },
    output: { ETag: '"e"', VersionId: "v" },
  },
  { name: "the payload in a document", client: s3, command: new CreateBucketCommand({ Bucket: "orders", CreateBucketConfiguration: { LocationConstraint: "eu-west-1", Tags: [{ Key: "k", Value: awkward }] } }), output: { Location: "/orders" } },
  { name: "no body in either direction", client: s3, command: new DeleteObjectCommand({ Bucket: "orders", Key: "k", VersionId: "v" }), output: { DeleteMarker: true } },
  {
    name: "a flattened list both ways",
    client: s3,
    command: new DeleteObjectsCommand({ Bucket: "orders", Delete: { Objects: [{ Key: awkward }, { Key: "b", VersionId: "v", LastModifiedTime: whole }], Quiet: true } }),
    input: { Bucket: "orders", Delete: { Objects: [{ Key: awkward }, { Key: "b", VersionId: "v", LastModifiedTime: whole }], Quiet: true }, ChecksumAlgorithm: "CRC32" },
    output: { Deleted: [{ Key: awkward }], Errors: [{ Key: "b", Code: "AccessDenied", Message: "no" }] },
  },
  {
    name: "the members of an answer, timestamps and numbers among them",
    client: s3,
    command: new ListObjectsV2Command({ Bucket: "orders", Prefix: "a/&b", MaxKeys: 2, Delimiter: "/" }),
    output: { Name: "orders", IsTruncated: false, KeyCount: 1, MaxKeys: 2, Contents: [{ Key: awkward, Size: 7, LastModified: whole, ETag: '"e"' }], CommonPrefixes: [{ Prefix: "a/" }] },
  },
  { name: "the service itself", client: s3, command: new ListBucketsCommand({}), output: { Buckets: [{ Name: "orders", CreationDate: whole }], Owner: { ID: "me" } } },
  { name: "an answer that is one value", client: s3, command: new GetBucketLocationCommand({ Bucket: "orders" }), output: { LocationConstraint: "eu-west-1" } },
  { name: "an answer that is one value, of none", client: s3, command: new GetBucketLocationCommand({ Bucket: "orders" }), output: {} },
  { name: "attributes in an answer", client: s3, command: new GetBucketAclCommand({ Bucket: "orders" }), output: { Owner: { ID: "me" }, Grants: [{ Grantee: { Type: "CanonicalUser", ID: "me" }, Permission: "READ" }] } },
  { name: "attributes in a request", client: s3, command: new PutBucketAclCommand({ Bucket: "orders", AccessControlPolicy: { Owner: { ID: "me" }, Grants: [{ Grantee: { Type: "CanonicalUser", ID: "me" }, Permission: "READ" }] } }), input: { Bucket: "orders", ChecksumAlgorithm: "CRC32", AccessControlPolicy: { Owner: { ID: "me" }, Grants: [{ Grantee: { Type: "CanonicalUser", ID: "me" }, Permission: "READ" }] } }, output: {} },
  {
    name: "lists, numbers and dates deep inside",
    client: s3,
    command: new PutBucketLifecycleConfigurationCommand({ Bucket: "orders", LifecycleConfiguration: { Rules: [{ Status: "Enabled", Filter: { Prefix: "" }, Expiration: { Date: whole, ExpiredObjectDeleteMarker: false }, Transitions: [{ Days: 1, StorageClass: "GLACIER" }, { Days: 2 }] }] } }),
    input: { Bucket: "orders", ChecksumAlgorithm: "CRC32", LifecycleConfiguration: { Rules: [{ Status: "Enabled", Filter: { Prefix: "" }, Expiration: { Date: whole, ExpiredObjectDeleteMarker: false }, Transitions: [{ Days: 1, StorageClass: "GLACIER" }, { Days: 2 }] }] } },
    output: {},
  },
  { name: "told from a put by its source", client: s3, command: new CopyObjectCommand({ Bucket: "orders", Key: "k", CopySource: "orders/a%20b" }), output: { CopyObjectResult: { ETag: '"e"', LastModified: whole } } },
  { name: "told from another by its query: begun", client: s3, command: new CreateMultipartUploadCommand({ Bucket: "orders", Key: "a", ChecksumAlgorithm: "CRC32" }), output: { Bucket: "orders", Key: "a", UploadId: "u" } },
  { name: "told from another by its query: a part", client: s3, command: new UploadPartCommand({ ...upload, PartNumber: 2, Body: "part", ChecksumSHA1: "x" }), input: { ...upload, PartNumber: 2, Body: Buffer.from("part"), ContentLength: 4, ChecksumSHA1: "x" }, output: { ETag: '"e"' } },
  { name: "told from another by its query: listed", client: s3, command: new ListPartsCommand(upload), output: { ...upload, Parts: [{ PartNumber: 2 }] } },
  { name: "told from another by its query: given up", client: s3, command: new AbortMultipartUploadCommand(upload), output: {} },
  { name: "told from another by its query: complete", client: s3, command: new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: [{ PartNumber: 2, ETag: '"e"' }] } }), output: { Location: "l", Key: "a" } },
];

describe.each([
  { style: "host", forcePathStyle: false },
  { style: "path", forcePathStyle: true },
])("REST-XML, the bucket in the $style", ({ forcePathStyle }) => {
  const services = wireServicesOf(newWorld());

  test.each(roundTrips)("$name", async (roundTrip) => {
    const client = (config: object) => roundTrip.client({ ...config, forcePathStyle });
    const { decoded, input, answered, given } = await travel(services, { ...roundTrip, client });
    expect(decoded).toEqual(input);
    expect(answered).toEqual(given);
  });
});

// Clients other than the JavaScript SDK do not say in `x-id` what they mean.
test.each([
  { method: "GET", path: "/", headers: {}, operation: "ListBuckets" },
  { method: "GET", path: "/orders", headers: {}, operation: "ListObjects" },
  { method: "GET", path: "/orders/", headers: {}, operation: "ListObjects" },
  { method: "GET", path: "/", headers: { host: "orders.s3.eu-west-1.amazonaws.com" }, operation: "ListObjects" },
  { method: "GET", path: "/", headers: { host: "s3.eu-west-1.amazonaws.com" }, operation: "ListBuckets" },
  { method: "GET", path: "/", headers: { host: "or.ders.localhost:4566" }, operation: "ListObjects" },
  { method: "GET", path: "/", headers: { host: "s3.localhost:4566" }, operation: "ListBuckets" },
  { method: "GET", path: "/orders/k", headers: {}, operation: "GetObject" },
  { method: "GET", path: "/orders/k?uploadId=u", headers: {}, operation: "ListParts" },
  { method: "GET", path: "/orders/k?acl", headers: {}, operation: "GetObjectAcl" },
  { method: "PUT", path: "/orders/k", headers: {}, operation: "PutObject" },
  { method: "PUT", path: "/orders/k", headers: { "x-amz-copy-source": "a/b" }, operation: "CopyObject" },
  { method: "PUT", path: "/orders/k?partNumber=1&uploadId=u", headers: {}, operation: "UploadPart" },
  { method: "PUT", path: "/orders/k?partNumber=1&uploadId=u", headers: { "x-amz-copy-source": "a/b" }, operation: "UploadPartCopy" },
  { method: "DELETE", path: "/orders/k", headers: {}, operation: "DeleteObject" },
  { method: "DELETE", path: "/orders", headers: {}, operation: "DeleteBucket" },
  { method: "POST", path: "/orders?delete", headers: {}, operation: "DeleteObjects" },
])("$method $path $headers means $operation", ({ method, path, headers, operation: name }) => {
  const url = new URL(path, "http://127.0.0.1");
  const query = new Map([...url.searchParams].map(([key, value]) => [key, [value]]));
  expect(routeRequest({ method, path: url.pathname, query, headers: { host: "127.0.0.1:4566", ...headers }, body: "" }, "s3", wireServicesOf(newWorld()))).toMatchObject({ kind: "operation", operation: { name } });
});

describe.each(["in process", "over HTTP"])("a service of REST-XML %s", (way) => {
  let world: World;
  let server: HttpServer | undefined;
  let client: S3Client;
  let config: S3ClientConfig;

  beforeEach(async () => {
    world = newWorld();
    const scope = { accountId: ACCOUNT, region: "eu-west-1" };
    server = way === "over HTTP" ? await startHttpServer(world, { scope, host: "127.0.0.1", port: 0, auth: "strict" }) : undefined;
    const transport = server === undefined ? { requestHandler: new SdkRequestHandler(world, { scope }) } : { endpoint: server.url };
    config = { region: "eu-west-1", credentials: mintCredentials(world, ACCOUNT, undefined), maxAttempts: 1, ...transport };
    client = new S3Client(config);
    await client.send(new CreateBucketCommand({ Bucket: "orders" }));
  });

  afterEach(async () => {
    client.destroy();
    await server?.close();
  });

  test("objects go in and come out as streams", async () => {
    await client.send(new PutObjectCommand({ Bucket: "orders", Key: "a/ü b", Body: "héllo" }));
    // Sent in chunks, with its checksum behind it.
    const Body = Readable.from([Buffer.from("in "), Buffer.from("parts")]);
    expect(await client.send(new PutObjectCommand({ Bucket: "orders", Key: "stream", Body, ContentLength: 8 }))).toMatchObject({ ChecksumCRC32: "2cEGlA==" });
    const { Body: given, ...object } = await client.send(new GetObjectCommand({ Bucket: "orders", Key: "a/ü b" }));
    expect(await given?.transformToString()).toBe("héllo");
    expect(object).toMatchObject({ ContentType: "text/plain", Metadata: { a: "b" }, LastModified: whole, $metadata: { httpStatusCode: 200, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
    expect(await (await client.send(new GetObjectCommand({ Bucket: "orders", Key: "stream" }))).Body?.transformToString()).toBe("in parts");
    expect(await client.send(new HeadObjectCommand({ Bucket: "orders", Key: "stream" }))).toMatchObject({ ContentLength: 8 });
    expect(await client.send(new DeleteObjectsCommand({ Bucket: "orders", Delete: { Objects: [{ Key: "stream" }, { Key: "none" }] } }))).toMatchObject({ Deleted: [{ Key: "stream" }] });
    expect(await client.send(new ListBucketsCommand({}))).toMatchObject({ Buckets: [{ Name: "orders", CreationDate: whole }] });
  });

  test("errors are the SDK's, and what the service lacks is named", async () => {
    const missing = await client.send(new GetObjectCommand({ Bucket: "orders", Key: "none" })).catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(NoSuchKey);
    expect(missing).toMatchObject({ message: "The specified key does not exist.", $metadata: { httpStatusCode: 404, requestId: expect.any(String) } });
    await expect(client.send(new HeadObjectCommand({ Bucket: "orders", Key: "none" }))).rejects.toBeInstanceOf(NotFound);
    const lacking = client.send(new CopyObjectCommand({ Bucket: "orders", Key: "k", CopySource: "orders/a" }));
    await expect(lacking).rejects.toMatchObject({ message: expect.stringContaining("s3:CopyObject") });
    const stranger = new S3Client({ ...config, credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "x" } });
    await expect(stranger.send(new ListBucketsCommand({}))).rejects.toMatchObject({ name: "InvalidAccessKeyId", $metadata: { httpStatusCode: 403 } });
    stranger.destroy();
  });

  test.each<{ name: string; query: Record<string, string> }>([
    { name: "as the JavaScript SDK makes it", query: { "x-id": "PutObject", "X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD" } },
    { name: "as boto3 makes it", query: {} },
  ])("a URL is signed without a body: $name", async ({ query }) => {
    if (server === undefined) return;
    const signer = new SignatureV4({ credentials: mintCredentials(world, ACCOUNT, undefined), region: "eu-west-1", service: "s3", sha256: Sha256, uriEscapePath: false, applyChecksum: false });
    const { host, hostname } = new URL(server.url);
    const unsigned = { method: "PUT", protocol: "http:", hostname, path: "/orders/a%20b", query, headers: { host, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" } };
    const signed = await signer.presign(unsigned, { expiresIn: 60, unhoistableHeaders: new Set(["x-amz-content-sha256"]), unsignableHeaders: new Set(["x-amz-content-sha256"]) });
    const url = `${server.url}/orders/a%20b?${new URLSearchParams(signed.query as Record<string, string>).toString()}`;
    expect((await fetch(url.replace("a%20b", "other"), { method: "PUT", body: "héllo" })).status).toBe(403);
    expect((await fetch(url, { method: "PUT", body: "héllo" })).status).toBe(200);
    const { Body } = await client.send(new GetObjectCommand({ Bucket: "orders", Key: "a b" }));
    expect(await Body?.transformToString()).toBe("héllo");
  });

  test("documents that are none are refused", async () => {
    if (server === undefined) return;
    const { url } = server;
    const send = async (body: string) => {
      const signer = new SignatureV4({ credentials: config.credentials as { accessKeyId: string; secretAccessKey: string }, region: "eu-west-1", service: "s3", sha256: Sha256, uriEscapePath: false });
      const { host, hostname } = new URL(url);
      const { headers } = await signer.sign({ method: "POST", protocol: "http:", hostname, path: "/orders", query: { delete: "" }, headers: { host }, body });
      const answered = await fetch(`${url}/orders?delete`, { method: "POST", headers, body });
      return { status: answered.status, text: await answered.text() };
    };
    for (const body of ["<a>", "{}", '<!DOCTYPE a [<!ENTITY b "b">]><Delete>&b;</Delete>', `${"<a>".repeat(10_000)}${"</a>".repeat(10_000)}`, "<Delete><Quiet>perhaps</Quiet></Delete>"]) {
      expect(await send(body)).toEqual({ status: 400, text: expect.stringContaining("<Code>MalformedXML</Code>") });
    }
    expect(await send("<Delete><Object><Key>a</Key></Object><Unknown/></Delete>")).toMatchObject({ status: 200 });
  });
});

test.each([
  { name: "no length", body: "x\r\nhello\r\n0\r\n\r\n" },
  { name: "a length beyond the end", body: "ff\r\nhello\r\n0\r\n\r\n" },
  { name: "no end", body: "5\r\nhello\r\n" },
  { name: "another length than told", body: "4\r\nhell\r\n0\r\n\r\n" },
  { name: "nothing", body: "" },
])("a body in chunks that is not whole is refused: $name", async ({ body }) => {
  const handler = new SdkRequestHandler(newWorld(), { scope: { accountId: ACCOUNT, region: "us-east-1" }, unknownKeys: "accept" });
  const authorization = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20251124/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=00";
  const { response } = await handler.handle({ method: "PUT", path: "/orders/k", headers: { authorization, host: "127.0.0.1", "content-encoding": "aws-chunked", "x-amz-decoded-content-length": "5" }, body });
  expect(response.statusCode).toBe(400);
  expect(String(response.body)).toContain("<Code>IncompleteBody</Code>");
});

describe("documents", () => {
  test.each([
    { name: "text with references", xml: "<a>&lt;&amp;&#65;&#x1F600;</a>", text: "<&A😀" },
    { name: "a declaration, comments, instructions and white space around", xml: '\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!-- <b> --><?x y?><a>t</a>\n', text: "t" },
    { name: "a section", xml: "<a>1<![CDATA[<b>&amp;]]>2</a>", text: "1<b>&amp;2" },
    { name: "attributes", xml: `<a x="1" y='"' z = "&amp;">t</a>`, text: "t" },
    { name: "a prefix", xml: '<n:a xmlns:n="u">t</n:a >', text: "t" },
    { name: "no text", xml: "<a/>", text: "" },
  ])("$name", ({ xml, text }) => {
    expect(parseXml(xml)).toMatchObject({ name: "a", text });
  });

  test("any text stands between tags, and in them, as it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(parseXml(`<a b="${xmlText(text)}">${xmlText(text)}</a>`)).toMatchObject({ text, attributes: new Map([["b", text]]) });
      }),
    );
  });

  test("whatever is sent is read or refused", () => {
    const pieces = ["<a>", "</a>", "<a/>", "<a b='c'>", "<", ">", "&", "&amp;", "&#x41;", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<!DOCTYPE", "=", "'", '"', " ", "x", "\u0000", "\ud800"];
    fc.assert(fc.property(fc.array(fc.constantFrom(...pieces)), (chosen) => void parseXml(chosen.join(""))));
    expect(parseXml("<a>".repeat(1_000_000))).toBeUndefined();
    expect(parseXml(`<a ${" ".repeat(1_000_000)}`)).toBeUndefined();
    expect(parseXml(`<a ${"b".repeat(1_000_000)}>`)).toBeUndefined();
  });

  test.each(["", "a", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a/>b", "<a", "<a b></a>", "<a b=1/>", '<a b="1" b="2"/>', "<a>&b;</a>", "<a>&</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&__proto__;</a>", "<a><!-- </a>", "<!DOCTYPE a><a/>", "<a><![CDATA[</a>"])("%j is none", (xml) => {
    expect(parseXml(xml)).toBeUndefined();
  });
});
