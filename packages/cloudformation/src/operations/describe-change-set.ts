import type { Change, DescribeChangeSetCommandInput, DescribeChangeSetCommandOutput, ListChangeSetsCommandInput, ListChangeSetsCommandOutput } from "@aws-sdk/client-cloudformation";
import { operation } from "@sandstack/core";
import { pageOf } from "../paging.js";
import { parametersShown, tagsShown } from "../shapes.js";
import { namedStackOf, onStack, stackOf } from "../stacks.js";
import type { CloudFormationState, PlannedChange } from "../state.js";
import { changeSetOf, changeSetsOf } from "./change-sets.js";

/** What a change set would do. @throws ChangeSetNotFoundException (404); ValidationError (400) */
export const describeChangeSet = operation<CloudFormationState, DescribeChangeSetCommandInput, Omit<DescribeChangeSetCommandOutput, "$metadata">>({
  name: "DescribeChangeSet",
  authorize: onStack("cloudformation:DescribeChangeSet"),
  run({ state }, { ChangeSetName, StackName, NextToken, IncludePropertyValues = false }) {
    const changeSet = changeSetOf(state, ChangeSetName, StackName);
    const { settings } = changeSet;
    const { items, NextToken: next } = pageOf(changeSet.changes, NextToken);
    const tags = tagsShown(settings);
    return {
      ChangeSetName: changeSet.name,
      ChangeSetId: changeSet.id,
      StackId: changeSet.stackId,
      StackName: stackOf(state, changeSet.stackId).name,
      Description: changeSet.description,
      Parameters: parametersShown(settings),
      CreationTime: new Date(changeSet.createdAtMs),
      ExecutionStatus: changeSet.executionStatus,
      Status: changeSet.status,
      StatusReason: changeSet.statusReason,
      NotificationARNs: [...settings.notificationArns],
      RollbackConfiguration: {},
      Capabilities: [...settings.capabilities] as DescribeChangeSetCommandOutput["Capabilities"], // the SDK's names, as they came in
      Tags: tags.length === 0 ? undefined : tags,
      Changes: items.map((change) => describeChange(change, IncludePropertyValues)),
      NextToken: next,
      IncludeNestedStacks: false,
      OnStackFailure: changeSet.onStackFailure,
    };
  },
});

function describeChange({ action, logicalId, type, physicalId, replacement, policyAction, scope, details, before, after }: PlannedChange, withValues: boolean): Change {
  const context = (properties: PlannedChange["before"]): string | undefined => (withValues && properties !== undefined ? JSON.stringify({ Properties: properties }) : undefined);
  return {
    Type: "Resource",
    ResourceChange: {
      Action: action,
      LogicalResourceId: logicalId,
      PhysicalResourceId: physicalId,
      ResourceType: type,
      Replacement: replacement,
      PolicyAction: policyAction,
      Scope: [...scope],
      Details: details.map(({ attribute, name, requiresRecreation, evaluation, changeSource, causingEntity }) => ({
        Target: { Attribute: attribute, Name: name, RequiresRecreation: requiresRecreation, ...(withValues && name !== undefined ? changedValue(name, before, after) : {}) },
        Evaluation: evaluation,
        ChangeSource: changeSource,
        CausingEntity: causingEntity,
      })),
      BeforeContext: context(before),
      AfterContext: context(after),
    },
  };
}

function changedValue(name: string, before: PlannedChange["before"], after: PlannedChange["after"]): { Path: string; BeforeValue?: string | undefined; AfterValue?: string | undefined; AttributeChangeType: "Add" | "Modify" | "Remove" } {
  const BeforeValue = textOf(before?.[name]);
  const AfterValue = textOf(after?.[name]);
  return { Path: `/Properties/${name}`, BeforeValue, AfterValue, AttributeChangeType: BeforeValue === undefined ? "Add" : AfterValue === undefined ? "Remove" : "Modify" };
}

function textOf(value: unknown): string | undefined {
  return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
}

/** A stack's change sets. @throws ValidationError (400) for a stack that is not there */
export const listChangeSets = operation<CloudFormationState, ListChangeSetsCommandInput, Omit<ListChangeSetsCommandOutput, "$metadata">>({
  name: "ListChangeSets",
  authorize: onStack("cloudformation:ListChangeSets"),
  run({ state }, { StackName, NextToken }) {
    const stack = namedStackOf(state, StackName);
    const { items, NextToken: next } = pageOf(changeSetsOf(state, stack), NextToken);
    return {
      Summaries: items.map((changeSet) => ({
        ChangeSetId: changeSet.id,
        ChangeSetName: changeSet.name,
        StackId: stack.id,
        StackName: stack.name,
        Status: changeSet.status,
        StatusReason: changeSet.statusReason,
        ExecutionStatus: changeSet.executionStatus,
        Description: changeSet.description,
        CreationTime: new Date(changeSet.createdAtMs),
        IncludeNestedStacks: false,
      })),
      NextToken: next,
    };
  },
});
