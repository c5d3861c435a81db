import { types } from "node:util";
import type { CreateFunctionCommandInput, FunctionCode } from "@aws-sdk/client-lambda";
import { orTakeDown, resourceType, type ResourceContext, type ResourceResult } from "@sandstack/core";
import { inlineCodeZip } from "./inline-code.js";
import { numberOf, tagsOf, type TagList } from "./properties.js";

interface FunctionProperties {
  /** `ZipFile` is inline text, or the bytes of a bound in-process handler. */
  readonly Code: { readonly ZipFile?: string | Uint8Array; readonly S3Bucket?: string; readonly S3Key?: string; readonly ImageUri?: string };
  readonly FunctionName?: string;
  readonly Handler?: string;
  readonly Runtime?: string;
  readonly Role: string;
  readonly Description?: string;
  readonly Timeout?: number | string;
  readonly MemorySize?: number | string;
  readonly Environment?: { readonly Variables?: Readonly<Record<string, unknown>> };
  readonly DeadLetterConfig?: { readonly TargetArn?: string };
  readonly ReservedConcurrentExecutions?: number | string;
  readonly PackageType?: "Zip" | "Image";
  readonly KmsKeyArn?: string;
  readonly Tags?: TagList;
}

/** Kept so that the API answers them; they change nothing here, and are reported as such. */
const KEPT = ["Architectures", "EphemeralStorage", "FileSystemConfigs", "Layers", "LoggingConfig", "SnapStart", "TracingConfig", "VpcConfig"];

/** What they are where a template does not name them: what an update no longer names goes back to it. */
const KEPT_DEFAULTS = {
  Architectures: ["x86_64"],
  EphemeralStorage: { Size: 512 },
  FileSystemConfigs: [],
  KMSKeyArn: "",
  Layers: [],
  LoggingConfig: { LogFormat: "Text" },
  SnapStart: { ApplyOn: "None" },
  TracingConfig: { Mode: "PassThrough" },
  VpcConfig: { SubnetIds: [], SecurityGroupIds: [] },
} satisfies Partial<CreateFunctionCommandInput>;

/** AWS::Lambda::Function: `Ref` gives the name, `Fn::GetAtt` the `Arn`. */
export const functionResource = resourceType<FunctionProperties>({
  type: "AWS::Lambda::Function",
  actsOn: [
    "Code.ZipFile",
    "Code.S3Bucket",
    "Code.S3Key",
    "Code.ImageUri",
    "FunctionName",
    "Handler",
    "Runtime",
    "Role",
    "Description",
    "Timeout",
    "MemorySize",
    "Environment",
    "DeadLetterConfig",
    "ReservedConcurrentExecutions",
    "PackageType",
    "Tags",
  ],
  ignoredBecause: {
    Architectures: "Functions run in this process, whatever its processor.",
    EphemeralStorage: "A function's files are not bounded.",
    FileSystemConfigs: "No file system is mounted.",
    KmsKeyArn: "Environment variables are not encrypted.",
    Layers: "Layers are not unpacked: what code requires must be in its own archive.",
    LoggingConfig: "What functions write is in the world's log.",
    RecursiveLoop: "Work that goes round is stopped by the sandbox's own bound.",
    RuntimeManagementConfig: "Functions run on this process's Node.js.",
    SnapStart: "Environments are made when they are needed, which takes no time.",
    TracingConfig: "Nothing is traced.",
    VpcConfig: "The sandbox has no network.",
  },
  async create(ctx, wanted) {
    const FunctionName = wanted.FunctionName ?? ctx.physicalName();
    await ctx.call("lambda", "CreateFunction", {
      ...configurationOf(wanted),
      FunctionName,
      Role: wanted.Role,
      Code: codeOf(wanted),
      PackageType: wanted.PackageType,
      Tags: tagsOf(ctx, wanted.Tags),
    });
    return orTakeDown(
      async () => {
        await setReservedConcurrency(ctx, FunctionName, wanted);
        return resultOf(ctx, FunctionName);
      },
      () => deleteFunction(ctx, FunctionName),
    );
  },
  async update(ctx, wanted, current) {
    const FunctionName = current.physicalId;
    await ctx.call("lambda", "UpdateFunctionConfiguration", {
      ...KEPT_DEFAULTS,
      ...configurationOf(wanted),
      FunctionName,
      Role: wanted.Role,
      // What the template no longer names goes back to its default.
      Description: wanted.Description ?? "",
      Timeout: numberOf(wanted.Timeout) ?? 3,
      MemorySize: numberOf(wanted.MemorySize) ?? 128,
      Environment: { Variables: variablesOf(wanted) ?? {} },
      DeadLetterConfig: { TargetArn: wanted.DeadLetterConfig?.TargetArn ?? "" },
    });
    if (!isSameCode(wanted, current.properties)) await ctx.call("lambda", "UpdateFunctionCode", { ...codeOf(wanted), FunctionName });
    await setReservedConcurrency(ctx, FunctionName, wanted);
    await setTags(ctx, current.attributes["Arn"], wanted.Tags);
    return resultOf(ctx, FunctionName);
  },
  async delete(ctx, current) {
    await deleteFunction(ctx, current.physicalId);
  },
});

async function deleteFunction(ctx: ResourceContext, FunctionName: string): Promise<void> {
  await ctx.call("lambda", "DeleteFunction", { FunctionName }, { ignore: ["ResourceNotFoundException"] });
}

type Configuration = Omit<CreateFunctionCommandInput, "FunctionName" | "Role" | "Code">;

function configurationOf(wanted: FunctionProperties): Configuration {
  const Variables = variablesOf(wanted);
  const kept = Object.fromEntries(Object.entries(wanted).filter(([name]) => KEPT.includes(name))) as Configuration; // named alike in the API
  return {
    ...kept,
    ...(wanted.KmsKeyArn === undefined ? {} : { KMSKeyArn: wanted.KmsKeyArn }),
    Handler: wanted.Handler,
    Runtime: wanted.Runtime as Configuration["Runtime"], // newer versions than the SDK knows are accepted
    Description: wanted.Description,
    Timeout: numberOf(wanted.Timeout),
    MemorySize: numberOf(wanted.MemorySize),
    ...(Variables === undefined ? {} : { Environment: { Variables } }),
    ...(wanted.DeadLetterConfig?.TargetArn === undefined ? {} : { DeadLetterConfig: { TargetArn: wanted.DeadLetterConfig.TargetArn } }),
  };
}

/** A template's numbers and booleans reach the function as text. */
function variablesOf({ Environment }: FunctionProperties): Record<string, string> | undefined {
  return Environment?.Variables && Object.fromEntries(Object.entries(Environment.Variables).map(([name, value]) => [name, String(value)]));
}

function codeOf({ Code, Runtime = "" }: FunctionProperties): FunctionCode {
  const { ZipFile, S3Bucket, S3Key, ImageUri } = Code;
  return { ZipFile: typeof ZipFile === "string" ? inlineCodeZip(ZipFile, Runtime) : ZipFile, S3Bucket, S3Key, ImageUri };
}

function isSameCode(a: FunctionProperties, b: FunctionProperties): boolean {
  const textOf = ({ Code, Runtime }: FunctionProperties): string => JSON.stringify([Runtime, Code], (_key, value: unknown) => (types.isUint8Array(value) ? Buffer.from(value).toString("latin1") : value));
  return textOf(a) === textOf(b);
}

async function setReservedConcurrency(ctx: ResourceContext, FunctionName: string, wanted: FunctionProperties): Promise<void> {
  const ReservedConcurrentExecutions = numberOf(wanted.ReservedConcurrentExecutions);
  if (ReservedConcurrentExecutions === undefined) await ctx.call("lambda", "DeleteFunctionConcurrency", { FunctionName });
  else await ctx.call("lambda", "PutFunctionConcurrency", { FunctionName, ReservedConcurrentExecutions });
}

async function setTags(ctx: ResourceContext, arn: unknown, own: TagList | undefined): Promise<void> {
  const Resource = String(arn);
  const wanted = tagsOf(ctx, own);
  const current = (await ctx.call("lambda", "ListTags", { Resource }))?.Tags ?? {};
  const TagKeys = Object.keys(current).filter((key) => !(key in wanted));
  if (TagKeys.length > 0) await ctx.call("lambda", "UntagResource", { Resource, TagKeys });
  if (Object.keys(wanted).length > 0) await ctx.call("lambda", "TagResource", { Resource, Tags: wanted });
}

async function resultOf(ctx: ResourceContext, FunctionName: string): Promise<ResourceResult> {
  const configuration = await ctx.call("lambda", "GetFunctionConfiguration", { FunctionName });
  return { physicalId: FunctionName, attributes: { Arn: configuration?.FunctionArn } };
}
