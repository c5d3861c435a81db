export type { BindingAddress, Bindings } from "./bindings.js";
export type { CdkCloudFormation, CdkDeployOptions, CdkWorld } from "./deploy.js";
export type { CdkParameters } from "./parameters.js";
export { SimCdk, type SimStacks } from "./sim-cdk.js";
export type { CdkAssembly, CdkConstruct, CdkSource } from "./source.js";
