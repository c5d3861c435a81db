import type {
  GetTemplateCommandInput,
  GetTemplateCommandOutput,
  GetTemplateSummaryCommandInput,
  GetTemplateSummaryCommandOutput,
  ValidateTemplateCommandInput,
  ValidateTemplateCommandOutput,
} from "@aws-sdk/client-cloudformation";
import { operation, type OperationContext } from "@sandstack/core";
import { templateOf } from "../deployment.js";
import { readAndValidate } from "../engine/prepare.js";
import { validationError } from "../errors.js";
import { typeSpecOf } from "../spec/spec.js";
import { checkStackName, onAll, onStack, stackOf } from "../stacks.js";
import type { CloudFormationState } from "../state.js";
import { neededCapabilities } from "../template/capabilities.js";
import type { ParameterDeclaration, Template } from "../template/template.js";
import { changeSetOf } from "./change-sets.js";

/** The text of a stack's template, as it was given. @throws ValidationError (400) */
export const getTemplate = operation<CloudFormationState, GetTemplateCommandInput, Omit<GetTemplateCommandOutput, "$metadata">>({
  name: "GetTemplate",
  authorize: onStack("cloudformation:GetTemplate"),
  run({ state }, { StackName, ChangeSetName }) {
    if (StackName === undefined && ChangeSetName === undefined) throw validationError("StackName is required if ChangeSetName is not specified.");
    if (StackName === undefined && ChangeSetName?.startsWith("arn:") !== true) throw validationError("StackName is a required parameter.");
    const settings = ChangeSetName === undefined ? stackOf(state, StackName ?? "").settings : changeSetOf(state, ChangeSetName, StackName).settings;
    return { TemplateBody: settings.templateText, StagesAvailable: ["Original", "Processed"] };
  },
});

/** What a template declares. @throws ValidationError (400) */
export const getTemplateSummary = operation<CloudFormationState, GetTemplateSummaryCommandInput, Omit<GetTemplateSummaryCommandOutput, "$metadata">>({
  name: "GetTemplateSummary",
  authorize: onStack("cloudformation:GetTemplateSummary"),
  run(ctx, input) {
    const template = readTemplateOf(ctx, input);
    const { capabilities, reason } = neededCapabilities(template);
    return {
      Parameters: Object.entries(template.parameters).map(([ParameterKey, declaration]) => ({
        ...declarationShown(ParameterKey, declaration),
        ParameterType: declaration.Type,
        ParameterConstraints: declaration.AllowedValues === undefined ? {} : { AllowedValues: declaration.AllowedValues.map(String) },
      })),
      Description: template.description,
      Capabilities: capabilities.length === 0 ? undefined : [...capabilities],
      CapabilitiesReason: reason,
      ResourceTypes: Object.values(template.resources).map(({ type }) => type),
      Version: template.version,
      Metadata: template.metadata === undefined ? undefined : JSON.stringify(template.metadata),
      DeclaredTransforms: template.transforms.length === 0 ? undefined : [...template.transforms],
      ResourceIdentifierSummaries: identifierSummaries(template),
    };
  },
});

/** Checks a template's structure. @throws ValidationError (400) for what is wrong with it */
export const validateTemplate = operation<CloudFormationState, ValidateTemplateCommandInput, Omit<ValidateTemplateCommandOutput, "$metadata">>({
  name: "ValidateTemplate",
  authorize: onAll("cloudformation:ValidateTemplate"),
  run(ctx, input) {
    const { template } = readAndValidate(templateOf(ctx, input), [], true);
    const { capabilities, reason } = neededCapabilities(template);
    return {
      Parameters: Object.entries(template.parameters).map(([name, declaration]) => declarationShown(name, declaration)),
      Description: template.description,
      Capabilities: capabilities.length === 0 ? undefined : [...capabilities],
      CapabilitiesReason: reason,
      DeclaredTransforms: template.transforms.length === 0 ? undefined : [...template.transforms],
    };
  },
});

function readTemplateOf(ctx: OperationContext<CloudFormationState>, { StackName, TemplateBody, TemplateURL }: GetTemplateSummaryCommandInput): Template {
  if (StackName === undefined) return readAndValidate(templateOf(ctx, { TemplateBody, TemplateURL }), [], true).template;
  checkStackName(StackName);
  const stack = stackOf(ctx.state, StackName);
  if (stack.status === "REVIEW_IN_PROGRESS") throw validationError("GetTemplateSummary cannot be called on REVIEW_IN_PROGRESS stacks.");
  const given = stack.settings.parameters.map(({ name, text }) => ({ key: name, value: text }));
  return readAndValidate(stack.settings.templateText, given, false).template;
}

function declarationShown(name: string, { Default, NoEcho, Description }: ParameterDeclaration): { ParameterKey: string; DefaultValue?: string | undefined; NoEcho: boolean; Description?: string | undefined } {
  return { ParameterKey: name, DefaultValue: Default === undefined ? undefined : String(Default), NoEcho: String(NoEcho) === "true", Description };
}

function identifierSummaries({ resources }: Template): NonNullable<GetTemplateSummaryCommandOutput["ResourceIdentifierSummaries"]> {
  const idsByType = new Map<string, string[]>();
  for (const [logicalId, { type }] of Object.entries(resources)) idsByType.set(type, [...(idsByType.get(type) ?? []), logicalId]);
  return [...idsByType].map(([ResourceType, LogicalResourceIds]) => ({ ResourceType, LogicalResourceIds, ResourceIdentifiers: [...(typeSpecOf(ResourceType)?.primaryIdentifier ?? [])] }));
}
