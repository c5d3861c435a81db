/**
 * The module `cfn-response` that inline Node.js code may require (CloudFormation user guide, cfn-lambda-function-code-cfnresponsemodule):
 * `send(event, context, status, data, physicalResourceId, noEcho)` puts a custom resource's answer to the event's `ResponseURL`.
 */
export const CFN_RESPONSE = `"use strict";
const https = require("https");

exports.SUCCESS = "SUCCESS";
exports.FAILED = "FAILED";

exports.send = function (event, context, responseStatus, responseData, physicalResourceId, noEcho) {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({
      Status: responseStatus,
      Reason: "See the details in CloudWatch Log Stream: " + context.logStreamName,
      PhysicalResourceId: physicalResourceId || context.logStreamName,
      StackId: event.StackId,
      RequestId: event.RequestId,
      LogicalResourceId: event.LogicalResourceId,
      NoEcho: noEcho || false,
      Data: responseData,
    });
    const url = new URL(event.ResponseURL);
    const options = {
      hostname: url.hostname,
      port: 443,
      path: url.pathname + url.search,
      method: "PUT",
      headers: { "content-type": "", "content-length": Buffer.byteLength(body) },
    };
    const request = https.request(options, (response) => {
      context.done();
      resolve(response.statusCode);
    });
    request.on("error", (error) => {
      context.done();
      reject(error);
    });
    request.write(body);
    request.end();
  });
};
`;
