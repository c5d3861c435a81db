import { fileURLToPath } from "node:url";
import { CfnOutput, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { AccountRootPrincipal, Role } from "aws-cdk-lib/aws-iam";
import { Runtime, Tracing } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { NodejsFunction } from "aws-cdk-lib/aws-lambda-nodejs";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";

const projectRoot = fileURLToPath(new URL("../../..", import.meta.url));
const consumerEntry = fileURLToPath(new URL("../src/consumer.ts", import.meta.url));

/** Orders come in on a queue, are shipped by a function, and lie on a dead-letter queue when that fails three times. */
export class OrdersStack extends Stack {
  readonly consumer: NodejsFunction;

  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);

    const failedOrders = new Queue(this, "FailedOrders", { enforceSSL: true, retentionPeriod: Duration.days(14) });
    const orders = new Queue(this, "Orders", {
      enforceSSL: true,
      encryption: QueueEncryption.SQS_MANAGED,
      visibilityTimeout: Duration.seconds(30),
      deadLetterQueue: { queue: failedOrders, maxReceiveCount: 3 },
    });
    const shipments = new Queue(this, "Shipments", { enforceSSL: true });

    this.consumer = new NodejsFunction(this, "Consumer", {
      description: "Turns orders into shipments",
      runtime: Runtime.NODEJS_22_X,
      entry: consumerEntry,
      projectRoot,
      depsLockFilePath: `${projectRoot}/package-lock.json`,
      timeout: Duration.seconds(5),
      tracing: Tracing.ACTIVE,
      environment: { SHIPMENTS_QUEUE_URL: shipments.queueUrl },
    });
    this.consumer.addEventSource(new SqsEventSource(orders, { batchSize: 10, reportBatchItemFailures: true }));
    shipments.grantSendMessages(this.consumer);

    // The shop may place orders, and no more than that.
    const shop = new Role(this, "Shop", { assumedBy: new AccountRootPrincipal() });
    orders.grantSendMessages(shop);

    new CfnOutput(this, "OrdersQueueUrl", { value: orders.queueUrl });
    new CfnOutput(this, "FailedOrdersQueueUrl", { value: failedOrders.queueUrl });
    new CfnOutput(this, "ShipmentsQueueUrl", { value: shipments.queueUrl });
    new CfnOutput(this, "ShopRoleArn", { value: shop.roleArn });
  }
}
