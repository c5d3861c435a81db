import type * as sdk from "@aws-sdk/client-cloudformation";

/** What each operation takes and gives, by the SDK's own types. */
export interface CloudFormationOperations {
  CreateChangeSet: [sdk.CreateChangeSetCommandInput, sdk.CreateChangeSetCommandOutput];
  CreateStack: [sdk.CreateStackCommandInput, sdk.CreateStackCommandOutput];
  DeleteChangeSet: [sdk.DeleteChangeSetCommandInput, sdk.DeleteChangeSetCommandOutput];
  DeleteStack: [sdk.DeleteStackCommandInput, sdk.DeleteStackCommandOutput];
  DescribeChangeSet: [sdk.DescribeChangeSetCommandInput, sdk.DescribeChangeSetCommandOutput];
  DescribeStackEvents: [sdk.DescribeStackEventsCommandInput, sdk.DescribeStackEventsCommandOutput];
  DescribeStackResource: [sdk.DescribeStackResourceCommandInput, sdk.DescribeStackResourceCommandOutput];
  DescribeStackResources: [sdk.DescribeStackResourcesCommandInput, sdk.DescribeStackResourcesCommandOutput];
  DescribeStacks: [sdk.DescribeStacksCommandInput, sdk.DescribeStacksCommandOutput];
  ExecuteChangeSet: [sdk.ExecuteChangeSetCommandInput, sdk.ExecuteChangeSetCommandOutput];
  GetTemplate: [sdk.GetTemplateCommandInput, sdk.GetTemplateCommandOutput];
  GetTemplateSummary: [sdk.GetTemplateSummaryCommandInput, sdk.GetTemplateSummaryCommandOutput];
  ListChangeSets: [sdk.ListChangeSetsCommandInput, sdk.ListChangeSetsCommandOutput];
  ListExports: [sdk.ListExportsCommandInput, sdk.ListExportsCommandOutput];
  ListImports: [sdk.ListImportsCommandInput, sdk.ListImportsCommandOutput];
  ListStackResources: [sdk.ListStackResourcesCommandInput, sdk.ListStackResourcesCommandOutput];
  ListStacks: [sdk.ListStacksCommandInput, sdk.ListStacksCommandOutput];
  UpdateStack: [sdk.UpdateStackCommandInput, sdk.UpdateStackCommandOutput];
  UpdateTerminationProtection: [sdk.UpdateTerminationProtectionCommandInput, sdk.UpdateTerminationProtectionCommandOutput];
  ValidateTemplate: [sdk.ValidateTemplateCommandInput, sdk.ValidateTemplateCommandOutput];
}

declare module "@sandstack/core" {
  interface ServiceOperations {
    cloudformation: CloudFormationOperations;
  }
}
