import type { ListTagsCommandInput, ListTagsResponse, TagResourceCommandInput, UntagResourceCommandInput } from "@aws-sdk/client-lambda";
import { operation, parseArn, type Authorization } from "@sandstack/core";
import { constraintViolated, invalidParameter, lambdaError } from "../errors.js";
import { functionReference } from "../function-name.js";
import { functionOf } from "../functions.js";
import type { LambdaState } from "../state.js";

function onResource(action: string): Authorization<LambdaState, { Resource: string | undefined }> {
  return { questions: (_call, { Resource = "" }) => ({ action, resource: Resource }) };
}

/** Adds tags to a function or an event source mapping, by its ARN. @throws ResourceNotFoundException (404) */
export const tagResource = operation<LambdaState, TagResourceCommandInput, void>({
  name: "TagResource",
  httpStatusCode: 204,
  authorize: onResource("lambda:TagResource"),
  run(ctx, { Resource, Tags }) {
    Object.assign(taggedResource(ctx.state, Resource).tags, Tags);
  },
});

/** Takes tags away; keys that are not there are passed over. @throws ResourceNotFoundException (404) */
export const untagResource = operation<LambdaState, UntagResourceCommandInput, void>({
  name: "UntagResource",
  httpStatusCode: 204,
  authorize: onResource("lambda:UntagResource"),
  run(ctx, { Resource, TagKeys = [] }) {
    const { tags } = taggedResource(ctx.state, Resource);
    for (const key of TagKeys) delete tags[key];
  },
});

/** Gives the tags of a function or an event source mapping. @throws ResourceNotFoundException (404) */
export const listTags = operation<LambdaState, ListTagsCommandInput, ListTagsResponse>({
  name: "ListTags",
  authorize: onResource("lambda:ListTags"),
  run: (ctx, { Resource }) => ({ Tags: { ...taggedResource(ctx.state, Resource).tags } }),
});

function taggedResource(state: LambdaState, arn = ""): { tags: Record<string, string> } {
  const { service, region = "", accountId = "", resource = "" } = parseArn(arn) ?? {};
  const mappingId = /^event-source-mapping:(.*)$/.exec(resource)?.[1];
  if (service !== "lambda" || (mappingId === undefined && !resource.startsWith("function:"))) {
    throw constraintViolated("resource", arn, String.raw`Member must satisfy regular expression pattern: arn:(aws[a-zA-Z-]*):lambda:[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1}:\d{12}:(function:[a-zA-Z0-9-_]+(:(\$LATEST|[a-zA-Z0-9-_]+))?|layer:([a-zA-Z0-9-_]+)|code-signing-config:csc-[a-z0-9]{17}|event-source-mapping:[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12})`);
  }
  if (mappingId === undefined) {
    const reference = functionReference({ region, accountId }, arn);
    if (reference.qualifier !== undefined) throw invalidParameter("Tags on function aliases and versions are not supported. Please specify a function ARN.");
    return functionOf(state, reference);
  }
  const mapping = state.mappings.get(mappingId);
  if (mapping === undefined) throw lambdaError("ResourceNotFoundException", `Event source mapping not found: ${arn}`);
  return mapping;
}
