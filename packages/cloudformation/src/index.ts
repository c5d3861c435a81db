export { cloudFormationService } from "./service.js";
export type * from "./operations.js";
