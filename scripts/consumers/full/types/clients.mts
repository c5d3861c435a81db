// One configuration for every client, whatever strictness the project has.
import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { IAMClient } from "@aws-sdk/client-iam";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import { STSClient } from "@aws-sdk/client-sts";
import { SimAws } from "sandstack";

const simAws = new SimAws();
const config = simAws.sdkConfig({ caller: { kind: "service", service: "events.amazonaws.com" } });
export const clients = [new CloudFormationClient(config), new IAMClient(config), new LambdaClient(config), new SQSClient(config), new STSClient(config)];
export const elsewhere = new SQSClient({ ...simAws.sdkConfig({ region: "eu-west-1" }), maxAttempts: 1 });
