/** Every number AWS sets for SQS, with its unit. Sources: Amazon SQS Developer Guide, "Amazon SQS quotas", and the API reference of the action. */

/** Characters of a queue's name, the suffix `.fifo` included. */
export const QUEUE_NAME_MAX_LENGTH = 80;

/** How long a deleted queue's name is held (API reference, DeleteQueue). */
export const NAME_HOLD_MS = 60_000;

/** The least time between two purges of a queue (API reference, PurgeQueue). */
export const PURGE_COOLDOWN_MS = 60_000;

/** Queues in one answer of ListQueues or ListDeadLetterSourceQueues. */
export const LIST_PAGE_MAX = 1_000;

/** Bytes of one message, and of all messages of one batch (1 MiB since August 2025). */
export const MESSAGE_MAX_BYTES = 1_048_576;

/** Message attributes of one message. */
export const MESSAGE_ATTRIBUTES_MAX = 10;

/** Bytes of a message attribute's name, and of its type. */
export const MESSAGE_ATTRIBUTE_NAME_MAX_BYTES = 256;

/** Entries of a batch, and messages of one receive. */
export const BATCH_MAX = 10;

export const DELAY_MAX_SECONDS = 900;
export const VISIBILITY_TIMEOUT_MAX_SECONDS = 43_200;
export const WAIT_TIME_MAX_SECONDS = 20;

export const RETENTION_MIN_SECONDS = 60;
export const RETENTION_MAX_SECONDS = 1_209_600;

export const MAX_RECEIVE_COUNT_MAX = 1_000;

/** Source queues that a RedriveAllowPolicy may name. */
export const REDRIVE_SOURCES_MAX = 10;

/** Messages that may be in flight at once (about 120,000, AWS says; exact here). */
export const IN_FLIGHT_MAX = 120_000;

/** Tags of one queue. */
export const TAGS_MAX = 50;
export const TAG_KEY_MAX_LENGTH = 128;
export const TAG_VALUE_MAX_LENGTH = 256;

/** Characters of a MessageGroupId, a MessageDeduplicationId and a ReceiveRequestAttemptId are 1 to 128 (API reference, SendMessage). */
export const ID_MAX_LENGTH = 128;

/** How long a FIFO queue recognises duplicates, and answers a ReceiveRequestAttemptId again (Developer Guide, "Exactly-once processing"). */
export const DEDUPLICATION_INTERVAL_MS = 300_000;

/** A tenant of a standard queue is noisy from so many messages in flight on, if they are more than this share of all (Developer Guide, "Amazon SQS fair queues"). */
export const NOISY_IN_FLIGHT_MIN = 30;
export const NOISY_IN_FLIGHT_SHARE = 0.1;

/** Characters of a permission's label (API reference, AddPermission). */
export const PERMISSION_LABEL_MAX_LENGTH = 80;

/** Bytes and statements of a policy; actions, principals and condition keys of a statement (Developer Guide, "Amazon SQS policy quotas"). */
export const POLICY_MAX_BYTES = 8_192;
export const POLICY_STATEMENTS_MAX = 20;
export const PERMISSION_ACTIONS_MAX = 7;
export const STATEMENT_PRINCIPALS_MAX = 50;
export const STATEMENT_CONDITIONS_MAX = 10;

/** The fastest velocity of a message move task (API reference, StartMessageMoveTask). */
export const MOVED_PER_SECOND_MAX = 500;

/** Message move tasks that a queue lists (API reference, ListMessageMoveTasks). */
export const MOVE_TASKS_LISTED_MAX = 10;
