import type {
  DescribeStackResourceCommandInput,
  DescribeStackResourceCommandOutput,
  DescribeStackResourcesCommandInput,
  DescribeStackResourcesCommandOutput,
  ListStackResourcesCommandInput,
  ListStackResourcesCommandOutput,
} from "@aws-sdk/client-cloudformation";
import { operation } from "@sandstack/core";
import { validationError } from "../errors.js";
import { pageOf } from "../paging.js";
import { describeResource, resourceMembers, summarizeResource } from "../shapes.js";
import { checkStackName, findStack, namedStackOf, onStack, stackOf } from "../stacks.js";
import type { CloudFormationState, Stack, StackResource } from "../state.js";

/** One resource, with its metadata. @throws ValidationError (400) for a stack or a logical id that is not there */
export const describeStackResource = operation<CloudFormationState, DescribeStackResourceCommandInput, Omit<DescribeStackResourceCommandOutput, "$metadata">>({
  name: "DescribeStackResource",
  authorize: onStack("cloudformation:DescribeStackResource"),
  run({ state }, { StackName, LogicalResourceId = "" }) {
    checkStackName(StackName);
    const stack = findStack(state, StackName);
    if (stack === undefined) throw validationError(`Stack '${StackName}' does not exist`);
    const resource = resourceOf(stack, LogicalResourceId);
    return {
      StackResourceDetail: {
        StackName: stack.name,
        StackId: stack.id,
        ...resourceMembers(resource),
        LastUpdatedTimestamp: new Date(resource.updatedAtMs),
        Metadata: resource.metadata === undefined ? "{}" : JSON.stringify(resource.metadata),
      },
    };
  },
});

/** A stack's resources by logical id, or the stack that a physical id belongs to. @throws ValidationError (400) */
export const describeStackResources = operation<CloudFormationState, DescribeStackResourcesCommandInput, Omit<DescribeStackResourcesCommandOutput, "$metadata">>({
  name: "DescribeStackResources",
  authorize: onStack("cloudformation:DescribeStackResources"),
  run({ state }, { StackName, LogicalResourceId, PhysicalResourceId }) {
    if (StackName === undefined && PhysicalResourceId === undefined) throw validationError("Either stack name or physical resource id must be specified");
    const stack = StackName === undefined ? stackWith(state, PhysicalResourceId ?? "") : stackOf(state, StackName);
    const resources = LogicalResourceId === undefined ? sorted(stack) : [resourceOf(stack, LogicalResourceId)];
    return { StackResources: resources.map((resource) => describeResource(stack, resource)) };
  },
});

/** A stack's resources by logical id. @throws ValidationError (400) for a stack that is not there */
export const listStackResources = operation<CloudFormationState, ListStackResourcesCommandInput, Omit<ListStackResourcesCommandOutput, "$metadata">>({
  name: "ListStackResources",
  authorize: onStack("cloudformation:ListStackResources"),
  run({ state }, { StackName, NextToken }) {
    checkStackName(StackName);
    const { items, NextToken: next } = pageOf(sorted(stackOf(state, StackName)), NextToken);
    return { StackResourceSummaries: items.map(summarizeResource), NextToken: next };
  },
});

function resourceOf(stack: Stack, logicalId: string): StackResource {
  const resource = stack.resources.get(logicalId);
  if (resource === undefined) throw validationError(`Resource ${logicalId} does not exist for stack ${stack.name}`);
  return resource;
}

function stackWith(state: CloudFormationState, physicalId: string): Stack {
  const found = [...state.stacks.values()].find(({ resources, status }) => status !== "DELETE_COMPLETE" && [...resources.values()].some((resource) => resource.physicalId === physicalId));
  return found ?? namedStackOf(state, physicalId);
}

function sorted({ resources }: Stack): StackResource[] {
  return [...resources.values()].sort((a, b) => (a.logicalId < b.logicalId ? -1 : 1));
}
