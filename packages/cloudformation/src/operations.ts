/** What each operation takes and gives, by the SDK's own types. */
export interface CloudFormationOperations {}

declare module "@sandstack/core" {
  interface ServiceOperations {
    cloudformation: CloudFormationOperations;
  }
}
