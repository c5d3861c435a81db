import { sdkErrorClass } from "./sdk-errors.js";

export {
  SimStack,
  type BoundHandler,
  type DeployTemplateOptions,
  type IgnoredProperty,
  type NamedValues,
  type ParameterValues,
  type SimStackResource,
  type StackStatus,
  type TagValues,
  type UpdateTemplateOptions,
} from "@sandstack/cloudformation";
export type { DeployTemplateFileOptions, SimCloudFormationService } from "./sim-cloudformation.js";

// By AWS's names of them, and by the SDK's.
export const SimCloudFormationAlreadyExistsException = errorClass("AlreadyExistsException");
export const SimCloudFormationChangeSetNotFound = errorClass("ChangeSetNotFoundException", "SimCloudFormationChangeSetNotFound");
export const SimCloudFormationInsufficientCapabilitiesException = errorClass("InsufficientCapabilitiesException");
export const SimCloudFormationInvalidChangeSetStatus = errorClass("InvalidChangeSetStatusException", "SimCloudFormationInvalidChangeSetStatus");
export const SimCloudFormationValidationError = errorClass("ValidationError");
export { SimCloudFormationChangeSetNotFound as SimCloudFormationChangeSetNotFoundException, SimCloudFormationInvalidChangeSetStatus as SimCloudFormationInvalidChangeSetStatusException };

function errorClass(name: string, className = `SimCloudFormation${name}`): ReturnType<typeof sdkErrorClass> {
  return sdkErrorClass("cloudformation", name, className);
}
