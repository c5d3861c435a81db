export { SimLog, type CallOptions, type Caller, type Credentials, type Decision, type Duration, type LogFilter, type LogRecord } from "@sandstack/core";
export type { DeliveryOptions } from "@sandstack/sqs";
export type { SdkConfig, SdkConfigOptions } from "./sdk-config.js";
export { SimAws } from "./sim-aws.js";
export type { SimAwsOptions } from "./sim-aws-options.js";
export { SimClock } from "./sim-clock.js";
export { SimScope, type CloudFormationOperations, type IamOperations, type LambdaOperations, type SqsOperations, type StsOperations } from "./sim-scope.js";
