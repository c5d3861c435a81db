export { sqsService } from "./service.js";
export type * from "./operations.js";
