import type { FunctionConfiguration, PublishVersionCommandInput } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { invalidParameter } from "../errors.js";
import { functionReference } from "../function-name.js";
import { checkRevision, configurationOf, functionOf } from "../functions.js";
import type { LambdaState } from "../state.js";
import { publishVersionOf } from "../versions.js";

/**
 * Publishes a function's latest version as one that does not change any more. Where nothing has changed since the last publication, that
 * version is answered.
 *
 * @throws ResourceNotFoundException (404)
 * @throws PreconditionFailedException (412) for a `RevisionId` that is not the latest
 * @throws InvalidParameterValueException (400) for a `CodeSha256` that is not that of the latest code
 */
export const publishVersion = operation<LambdaState, PublishVersionCommandInput, FunctionConfiguration>({
  name: "PublishVersion",
  httpStatusCode: 201,
  authorize: onFunction("lambda:PublishVersion"),
  run(ctx, { FunctionName, CodeSha256, Description, RevisionId }) {
    const fn = functionOf(ctx.state, functionReference(ctx.callScope, FunctionName));
    checkRevision(fn, RevisionId);
    if (CodeSha256 && CodeSha256 !== fn.code.sha256) {
      throw invalidParameter(`CodeSHA256 (${CodeSha256}) is different from current CodeSHA256 in $LATEST (${fn.code.sha256}). Please try again with the CodeSHA256 in $LATEST.`);
    }
    const version = publishVersionOf(ctx, fn, Description);
    // Active at once, where the versions that other operations publish are pending: so AWS, as recorded.
    return configurationOf(version, { qualifier: version.version });
  },
});
