import type * as Sdk from "@aws-sdk/client-lambda";
// What Lambda asks of them through the door is typed by their own maps.
import type {} from "@sandstack/iam";
import type {} from "@sandstack/sqs";

/** What each operation takes and gives, by the SDK's own types. */
export interface LambdaOperations {
  AddPermission: [Sdk.AddPermissionCommandInput, Sdk.AddPermissionCommandOutput];
  CreateAlias: [Sdk.CreateAliasCommandInput, Sdk.CreateAliasCommandOutput];
  CreateEventSourceMapping: [Sdk.CreateEventSourceMappingCommandInput, Sdk.CreateEventSourceMappingCommandOutput];
  CreateFunction: [Sdk.CreateFunctionCommandInput, Sdk.CreateFunctionCommandOutput];
  DeleteAlias: [Sdk.DeleteAliasCommandInput, Sdk.DeleteAliasCommandOutput];
  DeleteEventSourceMapping: [Sdk.DeleteEventSourceMappingCommandInput, Sdk.DeleteEventSourceMappingCommandOutput];
  DeleteFunction: [Sdk.DeleteFunctionCommandInput, Sdk.DeleteFunctionCommandOutput];
  DeleteFunctionConcurrency: [Sdk.DeleteFunctionConcurrencyCommandInput, Sdk.DeleteFunctionConcurrencyCommandOutput];
  GetAlias: [Sdk.GetAliasCommandInput, Sdk.GetAliasCommandOutput];
  GetEventSourceMapping: [Sdk.GetEventSourceMappingCommandInput, Sdk.GetEventSourceMappingCommandOutput];
  GetFunction: [Sdk.GetFunctionCommandInput, Sdk.GetFunctionCommandOutput];
  GetFunctionConcurrency: [Sdk.GetFunctionConcurrencyCommandInput, Sdk.GetFunctionConcurrencyCommandOutput];
  GetFunctionConfiguration: [Sdk.GetFunctionConfigurationCommandInput, Sdk.GetFunctionConfigurationCommandOutput];
  GetPolicy: [Sdk.GetPolicyCommandInput, Sdk.GetPolicyCommandOutput];
  Invoke: [Sdk.InvokeCommandInput, Sdk.InvokeCommandOutput];
  ListAliases: [Sdk.ListAliasesCommandInput, Sdk.ListAliasesCommandOutput];
  ListEventSourceMappings: [Sdk.ListEventSourceMappingsCommandInput, Sdk.ListEventSourceMappingsCommandOutput];
  ListFunctions: [Sdk.ListFunctionsCommandInput, Sdk.ListFunctionsCommandOutput];
  ListTags: [Sdk.ListTagsCommandInput, Sdk.ListTagsCommandOutput];
  ListVersionsByFunction: [Sdk.ListVersionsByFunctionCommandInput, Sdk.ListVersionsByFunctionCommandOutput];
  PublishVersion: [Sdk.PublishVersionCommandInput, Sdk.PublishVersionCommandOutput];
  PutFunctionConcurrency: [Sdk.PutFunctionConcurrencyCommandInput, Sdk.PutFunctionConcurrencyCommandOutput];
  RemovePermission: [Sdk.RemovePermissionCommandInput, Sdk.RemovePermissionCommandOutput];
  TagResource: [Sdk.TagResourceCommandInput, Sdk.TagResourceCommandOutput];
  UntagResource: [Sdk.UntagResourceCommandInput, Sdk.UntagResourceCommandOutput];
  UpdateAlias: [Sdk.UpdateAliasCommandInput, Sdk.UpdateAliasCommandOutput];
  UpdateEventSourceMapping: [Sdk.UpdateEventSourceMappingCommandInput, Sdk.UpdateEventSourceMappingCommandOutput];
  UpdateFunctionCode: [Sdk.UpdateFunctionCodeCommandInput, Sdk.UpdateFunctionCodeCommandOutput];
  UpdateFunctionConfiguration: [Sdk.UpdateFunctionConfigurationCommandInput, Sdk.UpdateFunctionConfigurationCommandOutput];
}

declare module "@sandstack/core" {
  interface ServiceOperations {
    lambda: LambdaOperations;
  }
}
