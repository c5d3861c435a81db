import type { AwsError, ProtocolName } from "@sandstack/core";
import { awsJson } from "./aws-json.js";
import type { WireRequest, WireResponse } from "./http.js";
import { awsQuery } from "./query.js";
import { restJson } from "./rest-json.js";
import { restXml } from "./rest-xml.js";
import type { OperationRoute, ServiceRoute } from "./route.js";

/** One protocol: how its requests are read and its answers written, whatever the service. */
export interface Codec {
  /** The input of a request. @throws AWS's error for what cannot be read (400) */
  decode(route: OperationRoute, request: WireRequest): unknown;
  /** @param output as the operation answers it: of the SDK's type */
  encode(route: OperationRoute, output: object, requestId: string): WireResponse;
  encodeError(route: ServiceRoute, error: AwsError, requestId: string): WireResponse;
}

export const codecs: Readonly<Record<ProtocolName, Codec>> = { awsJson1_0: awsJson, awsJson1_1: awsJson, awsQuery, restJson1: restJson, restXml };
