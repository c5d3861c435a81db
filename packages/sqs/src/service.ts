import { type ServiceDefinition, simError } from "@sandstack/core";

export const sqsService: ServiceDefinition<object> = {
  id: "sqs",
  reach: "region",
  emptyState: () => ({}),
  operations: [],
  accessDenied: () => simError("SimUnsupported", "SQS"),
};
