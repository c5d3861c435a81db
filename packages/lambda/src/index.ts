export { lambdaService } from "./service.js";
export type * from "./operations.js";
