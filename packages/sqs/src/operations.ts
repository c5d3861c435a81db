import type * as Sdk from "@aws-sdk/client-sqs";

/** What each operation takes and gives, by the SDK's own types. */
export interface SqsOperations {
  AddPermission: [Sdk.AddPermissionCommandInput, Sdk.AddPermissionCommandOutput];
  CancelMessageMoveTask: [Sdk.CancelMessageMoveTaskCommandInput, Sdk.CancelMessageMoveTaskCommandOutput];
  ChangeMessageVisibility: [Sdk.ChangeMessageVisibilityCommandInput, Sdk.ChangeMessageVisibilityCommandOutput];
  ChangeMessageVisibilityBatch: [Sdk.ChangeMessageVisibilityBatchCommandInput, Sdk.ChangeMessageVisibilityBatchCommandOutput];
  CreateQueue: [Sdk.CreateQueueCommandInput, Sdk.CreateQueueCommandOutput];
  DeleteMessage: [Sdk.DeleteMessageCommandInput, Sdk.DeleteMessageCommandOutput];
  DeleteMessageBatch: [Sdk.DeleteMessageBatchCommandInput, Sdk.DeleteMessageBatchCommandOutput];
  DeleteQueue: [Sdk.DeleteQueueCommandInput, Sdk.DeleteQueueCommandOutput];
  GetQueueAttributes: [Sdk.GetQueueAttributesCommandInput, Sdk.GetQueueAttributesCommandOutput];
  GetQueueUrl: [Sdk.GetQueueUrlCommandInput, Sdk.GetQueueUrlCommandOutput];
  ListDeadLetterSourceQueues: [Sdk.ListDeadLetterSourceQueuesCommandInput, Sdk.ListDeadLetterSourceQueuesCommandOutput];
  ListMessageMoveTasks: [Sdk.ListMessageMoveTasksCommandInput, Sdk.ListMessageMoveTasksCommandOutput];
  ListQueueTags: [Sdk.ListQueueTagsCommandInput, Sdk.ListQueueTagsCommandOutput];
  ListQueues: [Sdk.ListQueuesCommandInput, Sdk.ListQueuesCommandOutput];
  PurgeQueue: [Sdk.PurgeQueueCommandInput, Sdk.PurgeQueueCommandOutput];
  ReceiveMessage: [Sdk.ReceiveMessageCommandInput, Sdk.ReceiveMessageCommandOutput];
  RemovePermission: [Sdk.RemovePermissionCommandInput, Sdk.RemovePermissionCommandOutput];
  SendMessage: [Sdk.SendMessageCommandInput, Sdk.SendMessageCommandOutput];
  SendMessageBatch: [Sdk.SendMessageBatchCommandInput, Sdk.SendMessageBatchCommandOutput];
  SetQueueAttributes: [Sdk.SetQueueAttributesCommandInput, Sdk.SetQueueAttributesCommandOutput];
  StartMessageMoveTask: [Sdk.StartMessageMoveTaskCommandInput, Sdk.StartMessageMoveTaskCommandOutput];
  TagQueue: [Sdk.TagQueueCommandInput, Sdk.TagQueueCommandOutput];
  UntagQueue: [Sdk.UntagQueueCommandInput, Sdk.UntagQueueCommandOutput];
}

declare module "@sandstack/core" {
  interface ServiceOperations {
    sqs: SqsOperations;
  }
}
