import type { DescribeStackEventsCommandInput, DescribeStackEventsCommandOutput } from "@aws-sdk/client-cloudformation";
import { operation } from "@sandstack/core";
import { pageOf } from "../paging.js";
import { describeEvent } from "../shapes.js";
import { namedStackOf, onStack } from "../stacks.js";
import type { CloudFormationState } from "../state.js";

/** A stack's events, newest first. @throws ValidationError (400) for a stack that is not there */
export const describeStackEvents = operation<CloudFormationState, DescribeStackEventsCommandInput, Omit<DescribeStackEventsCommandOutput, "$metadata">>({
  name: "DescribeStackEvents",
  authorize: onStack("cloudformation:DescribeStackEvents"),
  run({ state }, { StackName, NextToken }) {
    const stack = namedStackOf(state, StackName);
    const { items, NextToken: next } = pageOf(stack.events.toReversed(), NextToken);
    return { StackEvents: items.map((event) => describeEvent(stack, event)), NextToken: next };
  },
});
