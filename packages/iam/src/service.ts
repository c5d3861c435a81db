import { type ServiceDefinition, simError } from "@sandstack/core";

export const iamService: ServiceDefinition<object> = {
  id: "iam",
  reach: "account",
  emptyState: () => ({}),
  operations: [],
  accessDenied: () => simError("SimUnsupported", "IAM"),
  authorizer: () => ({
    resolve: (_caller, scope) => ({ kind: "root", accountId: scope.accountId, arn: `arn:aws:iam::${scope.accountId}:root`, userId: scope.accountId }),
    authorize: () => ({ value: "Allow", isAllowed: true, isDenied: false, isExplicitDeny: false, isImplicitDeny: false, because: "", explain: () => "" }),
  }),
};

export const stsService: ServiceDefinition<object> = {
  id: "sts",
  reach: "account",
  emptyState: () => ({}),
  operations: [],
  accessDenied: () => simError("SimUnsupported", "STS"),
};
