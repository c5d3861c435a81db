/** Lambda's limits (AWS documentation: Lambda quotas; API reference). Each with its unit in its name. */

export const MIN_TIMEOUT_SECONDS = 1;
export const MAX_TIMEOUT_SECONDS = 900;
export const DEFAULT_TIMEOUT_SECONDS = 3;

export const MIN_MEMORY_MEGABYTES = 128;
export const MAX_MEMORY_MEGABYTES = 10_240;
export const DEFAULT_MEMORY_MEGABYTES = 128;

export const DEFAULT_EPHEMERAL_STORAGE_MEGABYTES = 512;

/** All environment variables of a function together. */
export const MAX_ENVIRONMENT_BYTES = 4_096;

/** The payload of a synchronous invocation, and an event for an SQS batch. */
export const MAX_SYNC_PAYLOAD_BYTES = 6_291_456;
/** A response may be 100 bytes longer; AWS names this number in the error. */
export const MAX_RESPONSE_BYTES = 6_291_556;
/** The payload of an asynchronous invocation. */
export const MAX_ASYNC_PAYLOAD_BYTES = 1_048_576;

/** What `LogResult` holds of an invocation's log: its end. */
export const LOG_TAIL_BYTES = 4_096;

/** When a failed asynchronous invocation is tried again, after the first and after the second attempt (developer guide, invocation-async-error-handling). */
export const ASYNC_RETRY_DELAYS_MS: readonly number[] = [60_000, 120_000];

/** What of an error's message the dead-letter queue is told. */
export const DEAD_LETTER_ERROR_MESSAGE_BYTES = 1_024;

export const DEFAULT_BATCH_SIZE = 10;
export const MAX_BATCH_SIZE = 10_000;
/** For FIFO queues, and for standard queues without a batching window. */
export const MAX_BATCH_SIZE_WITHOUT_WINDOW = 10;
export const MAX_BATCHING_WINDOW_SECONDS = 300;
export const MAX_FILTERS = 5;
export const MAX_FILTER_PATTERN_CHARACTERS = 4_096;
export const MIN_MAXIMUM_CONCURRENCY = 2;
export const MAX_MAXIMUM_CONCURRENCY = 1_000;

/** What ReceiveMessage and DeleteMessageBatch take at once. */
export const SQS_BATCH_SIZE = 10;

/** Batches a mapping has in flight: at the start, more with each minute of work, and at most (developer guide, services-sqs-scaling). */
export const CONCURRENCY_AT_START = 5;
export const CONCURRENCY_PER_MINUTE = 300;
export const CONCURRENCY_AT_MOST = 1_250;

/** A mapping whose poll failed tries again by itself after a minute, then after twice as long each time, up to an hour. AWS polls all the time; this is how often it shows here. */
export const FAILED_POLL_RETRY_MS = 60_000;
export const FAILED_POLL_RETRY_AT_MOST_MS = 3_600_000;

/**
 * How long a function's isolated code may run without a pause, in real milliseconds; a shorter time-out of the function bounds it further.
 * On AWS the time-out alone does; here it passes on the sandbox's clock, which stands still while code runs.
 */
export const RUNNING_BOUND_MS = 2_000;
/** The same while the code is loaded: what AWS gives its initialization (developer guide, lambda-runtime-environment). */
export const LOADING_BOUND_MS = 10_000;

/**
 * How long a request to AWS takes at least, in milliseconds: code that makes more of them one after the other than its time-out allows, on a
 * clock that stands still, does not end on AWS either.
 */
export const LEAST_ROUND_TRIP_MS = 4;
/** The most requests one after the other at one instant, whatever the time-out. */
export const MAX_ROUND_TRIPS = 10_000;

/** How long code may show no sign of life, in real milliseconds, before it is taken to wait for the clock. */
export const ISOLATED_PATIENCE_MS = 100;
/** The same for an in-process handler, which may await the test's own things. */
export const IN_PROCESS_PATIENCE_MS = 2_000;
