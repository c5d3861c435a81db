import { type ServiceDefinition, simError } from "@sandstack/core";

export const cloudFormationService: ServiceDefinition<object> = {
  id: "cloudformation",
  reach: "region",
  emptyState: () => ({}),
  operations: [],
  accessDenied: () => simError("SimUnsupported", "CloudFormation"),
};
