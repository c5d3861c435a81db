# A whole story through the aws CLI, against the endpoint of AWS_ENDPOINT_URL. Prints what was seen, a line for each thing.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT

# The CLI's older versions do not look at the variable.
aws() { command aws --endpoint-url "$AWS_ENDPOINT_URL" --output text "$@"; }
tell() { printf '%s: %s\n' "$1" "${*:2}"; }
refused() { if "$@" 2>refusal.txt; then echo "not refused"; else sed -n 's/^An error occurred (\([A-Za-z.]*\)) when calling the \([A-Za-z]*\) operation.*/\1 of \2/p' refusal.txt; fi; }
document() { printf '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", %s}]}' "$1"; }
arn_of() { aws sqs get-queue-attributes --queue-url "$1" --attribute-names QueueArn --query Attributes.QueueArn; }

tell caller "$(aws sts get-caller-identity --query Arn)"

# Queues: dead letters, a policy, attributes with binary values, batches.
dead=$(aws sqs create-queue --queue-name dead --query QueueUrl)
echo "{\"VisibilityTimeout\": \"0\", \"RedrivePolicy\": \"{\\\"deadLetterTargetArn\\\":\\\"$(arn_of "$dead")\\\",\\\"maxReceiveCount\\\":1}\"}" > attributes.json
orders=$(aws sqs create-queue --queue-name orders --attributes file://attributes.json --query QueueUrl)
tell url "$orders"
aws sqs add-permission --queue-url "$orders" --label everybody --aws-account-ids 111111111111 --actions SendMessage
tell policy "$(aws sqs get-queue-attributes --queue-url "$orders" --attribute-names Policy --query Attributes.Policy | grep -o '"Sid": *"everybody"')"
aws sqs send-message --queue-url "$orders" --message-body 'héllo & <x>' --message-attributes '{"bytes": {"DataType": "Binary", "BinaryValue": "AAH/"}}' > /dev/null
tell received "$(aws sqs receive-message --queue-url "$orders" --message-attribute-names All --query 'Messages[0].[Body, MessageAttributes.bytes.BinaryValue]')"
tell again "$(aws sqs receive-message --queue-url "$orders" --query Messages)"
tell dead "$(aws sqs receive-message --queue-url "$dead" --query 'Messages[0].Body')"
tell batch "$(aws sqs send-message-batch --queue-url "$orders" --entries Id=a,MessageBody=1 Id=b,MessageBody=2,DelaySeconds=901 --query '[Successful[].Id, Failed[].Code]' | xargs)"

# A FIFO queue: in order, and the same message once.
fifo=$(aws sqs create-queue --queue-name steps.fifo --attributes FifoQueue=true,ContentBasedDeduplication=true --query QueueUrl)
for step in one two two three; do aws sqs send-message --queue-url "$fifo" --message-group-id steps --message-body "$step" > /dev/null; done
tell fifo "$(aws sqs receive-message --queue-url "$fifo" --max-number-of-messages 10 --query 'Messages[].Body' | xargs)"

# A role, and a function from an archive that is fed by a queue.
role=$(aws iam create-role --role-name worker --assume-role-policy-document "$(document '"Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"')" --query Role.Arn)
aws iam put-role-policy --role-name worker --policy-name work --policy-document "$(document '"Action": "sqs:*", "Resource": "*"')"
echo 'exports.handler = async ({ Records = [] }) => Records.map(({ body }) => body);' > index.js
python3 -m zipfile -c function.zip index.js
aws lambda create-function --function-name worker --runtime nodejs20.x --handler index.handler --role "$role" --zip-file fileb://function.zip > /dev/null
aws lambda invoke --function-name worker --cli-binary-format raw-in-base64-out --payload '{"Records": [{"body": "now"}]}' answer.json > /dev/null
tell invoked "$(cat answer.json)"
aws sqs set-queue-attributes --queue-url "$orders" --attributes VisibilityTimeout=30
tell mapping "$(aws lambda create-event-source-mapping --function-name worker --event-source-arn "$(arn_of "$orders")" --batch-size 5 --query BatchSize)"

# A stack.
echo '{"Resources": {"Queue": {"Type": "AWS::SQS::Queue"}}, "Outputs": {"Name": {"Value": {"Fn::GetAtt": ["Queue", "QueueName"]}}}}' > template.json
aws cloudformation create-stack --stack-name story --template-body file://template.json > /dev/null
aws cloudformation wait stack-create-complete --stack-name story
tell stack "$(aws cloudformation describe-stacks --stack-name story --query 'Stacks[0].[StackStatus, Outputs[0].OutputKey]' | xargs)"

tell errors "$(refused aws sqs get-queue-url --queue-name missing), $(refused aws iam get-role --role-name missing), $(refused aws lambda get-function --function-name missing), $(refused aws cloudformation describe-stacks --stack-name missing)"
