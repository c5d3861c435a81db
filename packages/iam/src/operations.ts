/** What each operation takes and gives, by the SDK's own types. */
export interface IamOperations {}
export interface StsOperations {}

declare module "@sandstack/core" {
  interface ServiceOperations {
    iam: IamOperations;
    sts: StsOperations;
  }
}
