export { SimSdk, type SdkClient, type SdkClientClass, type SimSdkOptions } from "./sim-sdk.js";
