import { type ServiceDefinition, simError } from "@sandstack/core";

export const lambdaService: ServiceDefinition<object> = {
  id: "lambda",
  reach: "region",
  emptyState: () => ({}),
  operations: [],
  accessDenied: () => simError("SimUnsupported", "Lambda"),
};
