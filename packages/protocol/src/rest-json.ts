import type { Codec } from "./codec.js";
import { jsonOf, membersJson, parseJson, readJson, readMembers } from "./json.js";
import { decodeRest, encodeRest, errorMembers, type DocumentFormat } from "./rest.js";
import { jsonErrorName } from "./wire-errors.js";

const REQUEST_ID = "x-amzn-requestid";

const json: DocumentFormat = {
  contentType: "application/json",
  requestIdHeader: REQUEST_ID,
  readMembers: (service, members, body) => readMembers(service, members, parseJson(service, body)),
  readDocument: (service, shape, body) => readJson(service, shape, parseJson(service, body)),
  writeMembers: (_service, _shape, members, value) => JSON.stringify(membersJson(members, value)),
  writeDocument: (_service, shape, value) => JSON.stringify(jsonOf(shape, value)),
};

export const restJson: Codec = {
  decode: (route, request) => decodeRest(json, route, request),
  encode: ({ operation }, output, requestId) => encodeRest(json, operation, output, requestId),

  /** Its name is in a header, its members in the body. */
  encodeError({ model }, error, requestId) {
    const shape = model.errorShape(error.name);
    const { headers, members, values } = errorMembers(shape, error);
    const name = shape === undefined ? jsonErrorName(error.name) : error.name;
    const body = JSON.stringify(shape === undefined ? { message: error.message } : membersJson(members, values));
    return { statusCode: error.$metadata.httpStatusCode, headers: { [REQUEST_ID]: requestId, "x-amzn-errortype": name, "content-type": json.contentType, ...headers }, body };
  },
};
