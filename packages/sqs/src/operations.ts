/** What each operation takes and gives, by the SDK's own types. */
export interface SqsOperations {}

declare module "@sandstack/core" {
  interface ServiceOperations {
    sqs: SqsOperations;
  }
}
