import { isDeepStrictEqual } from "node:util";
import { uuid, type OperationContext } from "@sandstack/core";
import { configurationOf } from "./functions.js";
import type { FunctionState, FunctionVersion, LambdaState } from "./state.js";

/**
 * Publishes a function's latest version under the next number, unless code and configuration are still those of the version that was
 * published last: then that one is answered. Numbers are not used again, also when their version is deleted (developer guide, configuration-versions).
 *
 * @param description the version's. Default: the function's
 */
export function publishVersionOf(ctx: OperationContext<LambdaState>, fn: FunctionState, description = fn.description): FunctionVersion {
  const { lastPublished } = fn;
  const last = lastPublished && fn.versions.get(lastPublished.version);
  if (last !== undefined && lastPublished?.description === fn.description && isDeepStrictEqual(contentOf(last), contentOf(fn))) return last;

  const version: FunctionVersion = {
    name: fn.name,
    arn: fn.arn,
    version: String(Number(lastPublished?.version ?? 0) + 1),
    runtime: fn.runtime,
    handler: fn.handler,
    roleArn: fn.roleArn,
    description,
    timeoutSeconds: fn.timeoutSeconds,
    memorySizeMegabytes: fn.memorySizeMegabytes,
    environment: fn.environment,
    deadLetterTargetArn: fn.deadLetterTargetArn,
    kept: fn.kept,
    code: fn.code,
    changeId: fn.changeId,
    revisionId: uuid(ctx.random),
    modifiedAtMs: fn.modifiedAtMs,
  };
  fn.versions.set(version.version, version);
  fn.lastPublished = { version: version.version, description: fn.description };
  // Publishing is a change of the function, though not of what it runs.
  fn.revisionId = uuid(ctx.random);
  ctx.record({ kind: "lambda.version.published", functionArn: fn.arn, version: version.version });
  return version;
}

/** What makes two versions the same: code and configuration, as the API shows them. Plain JSON, for objects of several realms are never equal. */
function contentOf(version: FunctionVersion): unknown {
  const { Version: _version, Description: _description, RevisionId: _revision, LastModified: _modified, Environment = { Variables: {} }, ...content } = configurationOf(version);
  // A handler that is given anew closes over other things, though its text is the same.
  return JSON.parse(JSON.stringify({ ...content, Environment, token: version.code.kind === "handler" ? version.code.token : undefined }));
}

/** All versions of a function, the latest first, then the published ones in their order. */
export function versionsOf(fn: FunctionState): FunctionVersion[] {
  return [fn, ...fn.versions.values()];
}
