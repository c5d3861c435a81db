import { accessDeniedMessage, awsError, type ServiceDefinition } from "@sandstack/core";
import { describeCloudFormation } from "./log-events.js";
import { createChangeSet } from "./operations/create-change-set.js";
import { createStack } from "./operations/create-stack.js";
import { deleteStack } from "./operations/delete-stack.js";
import { describeChangeSet, listChangeSets } from "./operations/describe-change-set.js";
import { describeStackEvents } from "./operations/describe-stack-events.js";
import { describeStackResource, describeStackResources, listStackResources } from "./operations/describe-stack-resources.js";
import { describeStacks, listStacks } from "./operations/describe-stacks.js";
import { deleteChangeSet, executeChangeSet } from "./operations/execute-change-set.js";
import { getTemplate, getTemplateSummary, validateTemplate } from "./operations/get-template.js";
import { listExports, listImports } from "./operations/list-exports.js";
import { updateStack } from "./operations/update-stack.js";
import { updateTerminationProtection } from "./operations/update-termination-protection.js";
import { cdkMetadata } from "./resources/cdk-metadata.js";
import { waitConditionHandle } from "./resources/wait-condition-handle.js";
import { emptyState, type CloudFormationState } from "./state.js";
import { STACK_DUE, stackDue } from "./tasks.js";

/** AWS CloudFormation: stacks of the resource types that the services bring. */
export const cloudFormationService: ServiceDefinition<CloudFormationState> = {
  id: "cloudformation",
  reach: "region",
  wire: {
    protocols: ["awsQuery"],
    queryVersion: "2010-05-15",
    xmlNamespace: "http://cloudformation.amazonaws.com/doc/2010-05-15/",
    polledOperations: ["DescribeStacks", "DescribeStackEvents", "DescribeChangeSet"],
  },
  emptyState,
  operations: [
    createChangeSet,
    createStack,
    deleteChangeSet,
    deleteStack,
    describeChangeSet,
    describeStackEvents,
    describeStackResource,
    describeStackResources,
    describeStacks,
    executeChangeSet,
    getTemplate,
    getTemplateSummary,
    listChangeSets,
    listExports,
    listImports,
    listStackResources,
    listStacks,
    updateStack,
    updateTerminationProtection,
    validateTemplate,
  ],
  tasks: { [STACK_DUE]: stackDue },
  resourceTypes: [cdkMetadata, waitConditionHandle],
  describe: describeCloudFormation,
  accessDenied: (refusal) => awsError("@aws-sdk/client-cloudformation", { name: "AccessDenied", httpStatusCode: 403 }, accessDeniedMessage(refusal)),
};
