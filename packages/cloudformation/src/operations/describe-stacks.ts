import type { DescribeStacksCommandInput, DescribeStacksCommandOutput, ListStacksCommandInput, ListStacksCommandOutput } from "@aws-sdk/client-cloudformation";
import { operation } from "@sandstack/core";
import { pageOf } from "../paging.js";
import { describeStack, summarizeStack } from "../shapes.js";
import { checkStackName, onAll, onStack, stackOf } from "../stacks.js";
import type { CloudFormationState } from "../state.js";

/** Describes one stack, or all that are not deleted, newest first. @throws ValidationError (400) for a stack that is not there */
export const describeStacks = operation<CloudFormationState, DescribeStacksCommandInput, Omit<DescribeStacksCommandOutput, "$metadata">>({
  name: "DescribeStacks",
  authorize: onStack("cloudformation:DescribeStacks"),
  run({ state }, { StackName, NextToken }) {
    if (StackName !== undefined) {
      checkStackName(StackName);
      return { Stacks: [describeStack(stackOf(state, StackName))] };
    }
    const stacks = [...state.stacks.values()].filter(({ status }) => status !== "DELETE_COMPLETE").toReversed();
    const { items, NextToken: next } = pageOf(stacks, NextToken);
    return { Stacks: items.map(describeStack), NextToken: next };
  },
});

/** Lists stacks, deleted ones too, newest first. */
export const listStacks = operation<CloudFormationState, ListStacksCommandInput, Omit<ListStacksCommandOutput, "$metadata">>({
  name: "ListStacks",
  authorize: onAll("cloudformation:ListStacks"),
  run({ state }, { StackStatusFilter = [], NextToken }) {
    const wanted = new Set<string>(StackStatusFilter);
    const stacks = [...state.stacks.values()].filter(({ status }) => wanted.size === 0 || wanted.has(status)).toReversed();
    const { items, NextToken: next } = pageOf(stacks, NextToken);
    return { StackSummaries: items.map(summarizeStack), NextToken: next };
  },
});
