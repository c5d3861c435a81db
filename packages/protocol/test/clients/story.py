"""A whole story through boto3, against the endpoint of AWS_ENDPOINT_URL. Prints what was seen as one JSON object."""
import io
import json
import os
import time
import zipfile

import boto3
from botocore.exceptions import ClientError

endpoint = os.environ["AWS_ENDPOINT_URL"]


def client(service, **credentials):
    return boto3.client(service, endpoint_url=endpoint, region_name="us-east-1", **credentials)


def refused(call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        return [type(error).__name__, error.response["Error"]["Code"], error.response["ResponseMetadata"]["HTTPStatusCode"]]
    return None


def trust(principal):
    return json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": principal, "Action": "sts:AssumeRole"}]})


def allow(*actions):
    return json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": list(actions), "Resource": "*"}]})


def arn_of(url):
    return sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]


def until(seen):
    for _ in range(200):
        value = seen()
        if value:
            return value
        time.sleep(0.05)
    return None


sqs, iam, sts, functions, stacks = (client(service) for service in ("sqs", "iam", "sts", "lambda", "cloudformation"))
told = {"protocol": sqs.meta.service_model.metadata["protocol"], "caller": sts.get_caller_identity()["Arn"]}

# Queues: dead letters, binary values, batches, a policy.
dead = sqs.create_queue(QueueName="dead")["QueueUrl"]
redrive = json.dumps({"deadLetterTargetArn": arn_of(dead), "maxReceiveCount": 1})
orders = sqs.create_queue(QueueName="orders", Attributes={"VisibilityTimeout": "0", "RedrivePolicy": redrive}, tags={"team": "a b"})["QueueUrl"]
told["tags"] = sqs.list_queue_tags(QueueUrl=orders)["Tags"]
sqs.send_message(QueueUrl=orders, MessageBody="h\u00e9llo & <x> \r\n", MessageAttributes={"bytes": {"DataType": "Binary", "BinaryValue": b"\x00\x01\xff"}})
message = sqs.receive_message(QueueUrl=orders, MessageAttributeNames=["All"], AttributeNames=["All"])["Messages"][0]
told["body"], told["bytes"] = message["Body"], list(message["MessageAttributes"]["bytes"]["BinaryValue"])
told["receives"] = message["Attributes"]["ApproximateReceiveCount"]
told["empty"] = "Messages" not in sqs.receive_message(QueueUrl=orders)
told["dead"] = sqs.receive_message(QueueUrl=dead)["Messages"][0]["Body"]
batch = sqs.send_message_batch(QueueUrl=orders, Entries=[{"Id": "a", "MessageBody": "1"}, {"Id": "b", "MessageBody": "2", "DelaySeconds": 901}])
told["batch"] = [[entry["Id"] for entry in batch["Successful"]], [[entry["Id"], entry["Code"]] for entry in batch["Failed"]]]
sqs.purge_queue(QueueUrl=orders)
sqs.set_queue_attributes(QueueUrl=orders, Attributes={"Policy": json.dumps({"Version": "2012-10-17", "Statement": [{"Sid": "everybody", "Effect": "Allow", "Principal": "*", "Action": "sqs:SendMessage", "Resource": arn_of(orders)}]})})
told["policy"] = json.loads(sqs.get_queue_attributes(QueueUrl=orders, AttributeNames=["Policy"])["Attributes"]["Policy"])["Statement"][0]["Sid"]

# A FIFO queue: in order, and the same message once.
steps = sqs.create_queue(QueueName="steps.fifo", Attributes={"FifoQueue": "true", "ContentBasedDeduplication": "true"})["QueueUrl"]
for step in ["one", "two", "two", "three"]:
    sqs.send_message(QueueUrl=steps, MessageBody=step, MessageGroupId="steps")
told["fifo"] = [message["Body"] for message in sqs.receive_message(QueueUrl=steps, MaxNumberOfMessages=10)["Messages"]]

told["errors"] = [
    refused(sqs.get_queue_url, QueueName="missing"),
    refused(sqs.purge_queue, QueueUrl=orders),
    refused(sqs.receive_message, QueueUrl=orders, MaxNumberOfMessages=11),
    refused(sqs.send_message_batch, QueueUrl=orders, Entries=[]),
    refused(iam.get_role, RoleName="missing"),
    refused(stacks.describe_stacks, StackName="missing"),
    refused(functions.get_function, FunctionName="missing"),
]

# A role, what it may do and what not.
role = iam.create_role(RoleName="sender", AssumeRolePolicyDocument=trust({"AWS": "*"}))["Role"]
iam.put_role_policy(RoleName="sender", PolicyName="send", PolicyDocument=allow("sqs:SendMessage"))
given = sts.assume_role(RoleArn=role["Arn"], RoleSessionName="story")["Credentials"]
sender = client("sqs", aws_access_key_id=given["AccessKeyId"], aws_secret_access_key=given["SecretAccessKey"], aws_session_token=given["SessionToken"])
sender.send_message(QueueUrl=orders, MessageBody="as the role")
told["denied"] = refused(sender.receive_message, QueueUrl=orders)

# A function from a zip that answers on another queue, and a mapping.
replies = sqs.create_queue(QueueName="replies")["QueueUrl"]
# The function's own SDK would warn of a queue at another host than AWS's.
aws_url = "https://sqs.us-east-1.amazonaws.com/" + "/".join(replies.split("/")[-2:])
work = sqs.create_queue(QueueName="work")["QueueUrl"]
source = """
const { SQSClient, SendMessageCommand } = require("@aws-sdk/client-sqs");
const sqs = new SQSClient({});
exports.handler = async ({ Records = [] }) => {
  for (const { body } of Records) await sqs.send(new SendMessageCommand({ QueueUrl: process.env.REPLIES, MessageBody: body.toUpperCase() }));
  return Records.length;
};
"""
archive = io.BytesIO()
with zipfile.ZipFile(archive, "w") as files:
    files.writestr("index.js", source)
worker = iam.create_role(RoleName="worker", AssumeRolePolicyDocument=trust({"Service": "lambda.amazonaws.com"}))["Role"]
iam.put_role_policy(RoleName="worker", PolicyName="work", PolicyDocument=allow("sqs:*"))
functions.create_function(
    FunctionName="worker", Role=worker["Arn"], Runtime="nodejs18.x", Handler="index.handler", Code={"ZipFile": archive.getvalue()}, Environment={"Variables": {"REPLIES": aws_url}}
)
functions.get_waiter("function_active_v2").wait(FunctionName="worker", WaiterConfig={"Delay": 1})
told["invoked"] = json.loads(functions.invoke(FunctionName="worker", Payload=json.dumps({"Records": [{"body": "now"}]}))["Payload"].read())
functions.create_event_source_mapping(FunctionName="worker", EventSourceArn=arn_of(work))
sqs.send_message(QueueUrl=work, MessageBody="later")
got = []
until(lambda: got.extend(m["Body"] for m in sqs.receive_message(QueueUrl=replies, MaxNumberOfMessages=10).get("Messages", [])) or len(got) >= 2)
told["replies"] = sorted(got)

# A stack.
template = {"Resources": {"Queue": {"Type": "AWS::SQS::Queue"}}, "Outputs": {"Url": {"Value": {"Ref": "Queue"}}}}
stacks.create_stack(StackName="story", TemplateBody=json.dumps(template), Parameters=[], Tags=[{"Key": "k", "Value": "v"}])
stacks.get_waiter("stack_create_complete").wait(StackName="story", WaiterConfig={"Delay": 1})
stack = stacks.describe_stacks(StackName="story")["Stacks"][0]
told["stack"] = [stack["StackStatus"], stack["Outputs"][0]["OutputKey"], stack["Tags"]]
sqs.send_message(QueueUrl=stack["Outputs"][0]["OutputValue"], MessageBody="to the stack's queue")
stacks.delete_stack(StackName="story")
stacks.get_waiter("stack_delete_complete").wait(StackName="story", WaiterConfig={"Delay": 1})
told["deleted"] = refused(stacks.describe_stacks, StackName="story")

print(json.dumps(told))
