export { cloudFormationService } from "./service.js";
export { checkBinding, SimCloudFormation, type BoundHandler, type DeploymentTools, type DeployTemplateOptions, type ParameterValues, type TagValues, type UpdateTemplateOptions } from "./sim-cloudformation.js";
export { SimStack, type SimStackResource } from "./sim-stack.js";
export { constructPathOf, isAtPath, PATH_METADATA } from "./engine/code-overrides.js";
export { namedValues, type NamedValues } from "./named-values.js";
export type { IgnoredProperty, StackStatus } from "./state.js";
export type * from "./log-events.js";
export type * from "./operations.js";
