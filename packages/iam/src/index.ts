export { iamService, stsService } from "./service.js";
export type * from "./operations.js";
