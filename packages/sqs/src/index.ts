export type { SqsErrorName } from "./errors.js";
export type * from "./log-events.js";
export type * from "./operations.js";
export { sqsService } from "./service.js";
