export { readDelivery, type Delivery, type DeliveryOptions } from "./delivery.js";
export type { SqsErrorName } from "./errors.js";
export type * from "./log-events.js";
export { messagesIn, type SimSqsMessage } from "./messages.js";
export type * from "./operations.js";
export { sqsService } from "./service.js";
