export { mintCredentials } from "./identity.js";
export { SdkRequestHandler, type SdkHttpRequest, type SdkHttpResponse, type SdkRequestHandlerOptions } from "./request-handler.js";
export { lackOfService } from "./services.js";
export { typeFault } from "./type-fault.js";
