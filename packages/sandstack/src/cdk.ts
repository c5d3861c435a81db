export type { BindingAddress, Bindings, CdkAssembly, CdkConstruct, CdkDeployOptions, CdkParameters, CdkSource, SimCdk, SimStacks } from "@sandstack/cdk";
