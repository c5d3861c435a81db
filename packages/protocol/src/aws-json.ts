import type { ProtocolName } from "@sandstack/core";
import type { Codec } from "./codec.js";
import { jsonOf, parseJson, readJson } from "./json.js";
import { jsonErrorName, queryErrorCode } from "./wire-errors.js";

/** The namespace of errors that AWS's front end answers and the service's model does not know. */
const FRONT_END_NAMESPACE = "com.amazon.coral.service";

/** AWS JSON 1.0 and 1.1. */
export const awsJson: Codec = {
  decode({ operation }, request) {
    return readJson(operation.service, operation.input, parseJson(operation.service, request.body));
  },

  encode({ operation, protocol }, output, requestId) {
    const body = operation.output.kind === "unit" ? "{}" : JSON.stringify(jsonOf(operation.output, output));
    return { statusCode: 200, headers: jsonHeaders(protocol, requestId), body };
  },

  /** Its shape is in `__type`, and for a service that came from the Query protocol its older code in a header. */
  encodeError({ model, protocol }, error, requestId) {
    const { service } = model;
    const shape = model.errorShape(error.name);
    const type = shape === undefined ? `${FRONT_END_NAMESPACE}#${jsonErrorName(error.name)}` : `com.amazonaws.${service.id}#${error.name}`;
    const headers = jsonHeaders(protocol, requestId);
    if (service.isQueryCompatible) headers["x-amzn-query-error"] = `${queryErrorCode(error)};${error.$fault === "server" ? "Receiver" : "Sender"}`;
    const members = shape === undefined ? {} : jsonOf(shape, error);
    return { statusCode: error.$metadata.httpStatusCode, headers, body: JSON.stringify({ __type: type, ...(members as object), message: error.message }) }; // an error's shape is a structure
  },
};

function jsonHeaders(protocol: ProtocolName, requestId: string): Record<string, string> {
  return { "x-amzn-requestid": requestId, "content-type": protocol === "awsJson1_1" ? "application/x-amz-json-1.1" : "application/x-amz-json-1.0" };
}
