export { makeLambdaBinding, makeLambdaCodeZip, makeLambdaZipFileInput, type SimLambdaHandler } from "./handlers.js";
export type * from "./log-events.js";
export type { LambdaOperations } from "./operations.js";
export { lambdaService } from "./service.js";
export type { SimLambdaSqsEvent, SimLambdaSqsEventAttributes, SimLambdaSqsEventRecord, SimLambdaSqsMessageAttribute } from "./sqs-event.js";
