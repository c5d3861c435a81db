/** What each operation takes and gives, by the SDK's own types. */
export interface LambdaOperations {}

declare module "@sandstack/core" {
  interface ServiceOperations {
    lambda: LambdaOperations;
  }
}
