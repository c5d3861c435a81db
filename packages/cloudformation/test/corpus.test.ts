import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SimAws } from "sandstack";
import type { ParameterValues, SimStack } from "sandstack/cloudformation";
import { makeWorld, rejection } from "./setup.js";

/** Templates as they are found in the field; they lie beside the repository, where somebody has put them there. */
const CORPUS = join(__dirname, "../../../../shared/corpus/templates");

interface Deployed {
  readonly file: string;
  readonly parameters?: ParameterValues;
  /** Types that are skipped. */
  readonly skipped?: readonly string[];
  readonly outputs?: object;
  /** How many resources are really there. */
  readonly deployed: number;
}

const sqs = (name: string): RegExp => new RegExp(`^https://sqs\\.us-east-1\\.amazonaws\\.com/111111111111/${name}$`);
const arn = (name: string): RegExp => new RegExp(`^arn:aws:sqs:us-east-1:111111111111:${name}$`);
const url = (name: string): unknown => expect.stringMatching(sqs(name));
const arnOf = (name: string): unknown => expect.stringMatching(arn(name));

const deployed: Deployed[] = [
  { file: "awscdk-sns-sqs-cross-region-queuestack.template.json", skipped: ["AWS::SNS::Subscription"], deployed: 2 },
  { file: "awscdk-sqs-source-queue-permission.template.json", deployed: 3 },
  { file: "awscdk-sqs-with-filter-criteria.template.json", skipped: ["AWS::KMS::Key"], deployed: 9 },
  { file: "localstack-cdk_bootstrap_v28.yaml", skipped: ["AWS::ECR::Repository", "AWS::KMS::Alias", "AWS::KMS::Key", "AWS::S3::Bucket", "AWS::S3::BucketPolicy", "AWS::SSM::Parameter"], deployed: 7 },
  { file: "localstack-cfn_lambda_sqs_source.yaml", outputs: { QueueUrl: url("corpus-q14836DC8-.{12}"), ESMId: expect.stringMatching(/^[0-9a-f-]{36}$/) }, deployed: 5 },
  { file: "localstack-cfn_languageextensions_foreach.yml", parameters: { pRepoARNs: "a,b,c" }, skipped: ["AWS::SNS::Topic"], deployed: 0 },
  {
    file: "localstack-conditions-intrinsic-functions-in-conditions.yaml",
    parameters: { TopicName: "p-us-east-1", TopicPrefix: "p", TopicNameWithSuffix: "p-us-east-1-x", TopicNameSuffix: "x" },
    skipped: ["AWS::SNS::Topic"],
    outputs: { TopicRef: "MyTopic", TopicWithSuffixRef: "MyTopicWithSuffix" },
    deployed: 0,
  },
  { file: "localstack-engine-cfn_fn_sub.yaml", parameters: { ParameterName: "n" }, skipped: ["AWS::SSM::Parameter"], outputs: { StringRefParam: "Param1Value", StringRefPseudoParam: "us-east-1", UrlSuffixPseudoParam: "amazonaws.com" }, deployed: 0 },
  { file: "localstack-mappings-simple-mapping.yaml", parameters: { TopicName: "t", TopicNameSuffixSelector: "A" }, skipped: ["AWS::SNS::Topic"], deployed: 0 },
  { file: "localstack-nested-stack-outputref-sub2.yaml", parameters: { TopicArn: "arn:aws:sns:us-east-1:111111111111:t", RoleName: "r" }, deployed: 1 },
  { file: "localstack-s3_notification_sqs.yml", skipped: ["AWS::S3::Bucket"], outputs: { QueueName: url("corpus-TestQueue-.{12}") }, deployed: 2 },
  { file: "localstack-sqs_export.yml", outputs: { TestOutput26: arnOf("test-queue") }, deployed: 1 },
  { file: "localstack-sqs_queue_update_1.yaml", outputs: { QueueUrl: url("corpus-StandardQueue-.{12}"), QueueArn: arnOf("corpus-StandardQueue-.{12}") }, deployed: 1 },
  { file: "localstack-sqs_queue_update_2.yaml", deployed: 1 },
  { file: "patterns-s3-sqs.yaml", parameters: { SourceBucketName: "b" }, skipped: ["AWS::S3::Bucket"], deployed: 2 },
  { file: "patterns-sns-sqs-fanout.yaml", skipped: ["AWS::SNS::Subscription", "AWS::SNS::Topic"], outputs: { AllMetricsSqsQueueURL: url("AllMetricsSqsQueue") }, deployed: 7 },
  { file: "solutions-evtsqs-rule-dlq.template.json", skipped: ["AWS::Events::Rule", "AWS::KMS::Alias", "AWS::KMS::Key"], deployed: 6 },
  { file: "solutions-snslam-no-arguments.template.json", skipped: ["AWS::SNS::Subscription", "AWS::SNS::Topic", "AWS::SNS::TopicPolicy"], deployed: 4 },
  { file: "solutions-snssqs-rawMessageDelivery.template.json", skipped: ["AWS::KMS::Key", "AWS::SNS::Subscription", "AWS::SNS::Topic", "AWS::SNS::TopicPolicy"], deployed: 6 },
  { file: "solutions-sqslam-deployFunction.template.json", deployed: 9 },
];

interface Refused {
  readonly name: string;
  readonly file: string;
  readonly parameters?: ParameterValues;
  readonly message: string;
}

const refused: Refused[] = [
  { name: "a dependency that there is not", file: "localstack-engine-cfn_dependson_nonexisting_resource.yaml", message: "Template format error: Unresolved resource dependencies [NonExistingResource] in the Resources block of the template" },
  { name: "a parameter without value", file: "localstack-engine-cfn_fn_sub.yaml", message: "Parameters: [ParameterName] must have values" },
  { name: "a key that a mapping lacks", file: "localstack-mappings-simple-mapping.yaml", parameters: { TopicName: "t", TopicNameSuffixSelector: "C" }, message: "Template error: Unable to get mapping for TopicSuffixMap::C::Suffix" },
  {
    name: "an output of what its condition leaves out",
    file: "localstack-conditions-intrinsic-functions-in-conditions.yaml",
    parameters: { TopicName: "other", TopicPrefix: "p", TopicNameWithSuffix: "p-us-east-1-x", TopicNameSuffix: "x" },
    message: "Unresolved resource dependencies [MyTopic] in the Outputs block of the template",
  },
  { name: "an export that there is not", file: "localstack-sqs_import.yml", message: "No export named TestQueueArn26 found." },
];

async function deployFile(simAws: SimAws, file: string, parameters?: ParameterValues, stackName = "corpus"): Promise<SimStack> {
  const stack = await simAws.cloudFormation().deployTemplateFile({ path: join(CORPUS, file), stackName, parameters });
  return stack.waitForDeployComplete();
}

(existsSync(CORPUS) ? describe : describe.skip)("templates as they are found in the field", () => {
  test.each(deployed)("$file is deployed and deleted", async ({ file, parameters, skipped = [], outputs = {}, deployed: count }) => {
    const simAws = makeWorld({ defaultAccountId: "111111111111" });
    const stack = await deployFile(simAws, file, parameters);
    expect(stack.status).toBe("CREATE_COMPLETE");
    expect([...new Set(stack.skippedResources.map(({ type }) => type))].sort()).toEqual(skipped);
    expect(stack.resources.filter((resource) => resource.deployed).length).toBe(count);
    expect({ ...stack.outputs }).toMatchObject(outputs);
    // What is not acted on is a matter of encryption, tracing and metrics; nothing is outside AWS's schema.
    expect(stack.ignoredProperties.filter(({ reason }) => reason.includes("schema"))).toEqual([]);
    await simAws.cloudFormation().deleteStack({ stackName: "corpus" });
    expect(stack.status).toBe("DELETE_COMPLETE");
  });

  test.each(refused)("$file is refused: $name", async ({ file, parameters, message }) => {
    const simAws = makeWorld({ defaultAccountId: "111111111111" });
    expect(await rejection(deployFile(simAws, file, parameters))).toMatchObject({ name: "ValidationError", message });
    expect(simAws.cloudFormation().findStack("corpus")).toBeUndefined();
  });

  test.each([
    ["localstack-sam_sqs_template.yml", "Lambda"],
    ["patterns-eventbridge-sns-lambda.yaml", "LambdaFunction"],
    ["patterns-lambda-sqs.yaml", "QueuePublisherFunction"],
    ["patterns-lambda-esm-sqs-filters-sam.yaml", "EsmSqsFilterFunctionNoFilter"],
    ["patterns-sqs-lambda-nodejs-sam.yaml", "ProcessorFunction"],
    ["patterns-sqs-lambda.yaml", "QueueConsumerFunction"],
  ])("%s needs the serverless transform, and is refused", async (file, logicalId) => {
    const simAws = makeWorld({ defaultAccountId: "111111111111" });
    const error = await rejection(deployFile(simAws, file));
    expect(error).toMatchObject({ name: "SimUnsupported", message: expect.stringContaining("the transform AWS::Serverless-2016-10-31") });
    expect(error.message).toContain(`${logicalId} (AWS::Serverless::Function)`);
    expect(simAws.cloudFormation().findStack("corpus")).toBeUndefined();
  });

  test("a function whose code lies in a bucket that nobody has published fails its stack, by name", async () => {
    for (const file of ["solutions-lamsqs-deployFunctionWithVpc.template.json", "solutions-s3sqs-creatingNewQueue.template.json"]) {
      expect((await rejection(deployFile(makeWorld({ defaultAccountId: "111111111111" }), file))).message).toMatch(/The specified key does not exist\. \(resource Custom\w+ of type AWS::Lambda::Function, property Code, stack corpus\)$/);
    }
  });

  test("a queue imports another stack's, which cannot go while it does", async () => {
    const simAws = makeWorld({ defaultAccountId: "111111111111" });
    const producer = await deployFile(simAws, "localstack-sqs_export.yml", undefined, "producer");
    const consumer = await deployFile(simAws, "localstack-sqs_import.yml", { QueueName: "importing" }, "consumer");
    expect(consumer.output("MessageQueueArn1")).toBe(producer.output("TestOutput26"));
    expect((await rejection(simAws.cloudFormation().deleteStack({ stackName: "producer" }))).message).toBe("Export TestQueueArn26 cannot be deleted as it is in use by consumer");
  });

  test("a queue is updated there and back in place, as recorded on AWS", async () => {
    const simAws = makeWorld({ defaultAccountId: "111111111111" });
    const stack = await deployFile(simAws, "localstack-sqs_queue_update_1.yaml");
    const attributes = async (): Promise<object | undefined> =>
      (await simAws.sqs().getQueueAttributes({ input: { QueueUrl: stack.output("QueueUrl"), AttributeNames: ["MaximumMessageSize", "MessageRetentionPeriod", "ReceiveMessageWaitTimeSeconds", "VisibilityTimeout"] } })).Attributes;
    const url = stack.output("QueueUrl");
    expect(await attributes()).toMatchObject({ MaximumMessageSize: "1048576" });
    for (const [file, expected] of [
      ["localstack-sqs_queue_update_2.yaml", { MaximumMessageSize: "4321", MessageRetentionPeriod: "17539", ReceiveMessageWaitTimeSeconds: "17", VisibilityTimeout: "30" }],
      ["localstack-sqs_queue_update_1.yaml", { MaximumMessageSize: "262144", MessageRetentionPeriod: "345600", ReceiveMessageWaitTimeSeconds: "0", VisibilityTimeout: "30" }],
    ] as const) {
      const template = readFileSync(join(CORPUS, file), "utf8");
      await (await simAws.cloudFormation().updateTemplate({ stackName: "corpus", template })).waitForDeployComplete();
      expect(await attributes()).toEqual(expected);
      expect(stack.output("QueueUrl")).toBe(url);
    }
  });
});
