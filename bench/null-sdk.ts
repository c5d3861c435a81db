import { hash } from "node:crypto";
import { SQSClient } from "@aws-sdk/client-sqs";

/** A real SDK client whose calls are answered with constants: what the SDK itself costs. */
export function nullSqsClient(body: string): SQSClient {
  const md5 = hash("md5", body);
  const answers: Readonly<Record<string, Uint8Array>> = {
    "AmazonSQS.SendMessage": encoded({ MessageId: "00000000-0000-4000-8000-000000000000", MD5OfMessageBody: md5 }),
    "AmazonSQS.ReceiveMessage": encoded({ Messages: [{ MessageId: "00000000-0000-4000-8000-000000000000", ReceiptHandle: "handle", Body: body, MD5OfBody: md5 }] }),
    "AmazonSQS.DeleteMessage": encoded({}),
  };
  return new SQSClient({
    region: "us-east-1",
    credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "secret" },
    requestHandler: {
      handle: async ({ headers }: { headers: Readonly<Record<string, string>> }) => ({
        response: { statusCode: 200, headers: { "content-type": "application/x-amz-json-1.0" }, body: answers[headers["x-amz-target"] ?? ""] },
      }),
    },
  });
}

function encoded(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
