import type { GetRoleCommandOutput } from "@aws-sdk/client-iam";
import type { Operation } from "@sandstack/core";
import type * as iamOperations from "./operations/index.js";
import type * as stsOperations from "./sts/operations/index.js";

/** What operations take and give, by AWS's names, with the metadata that the door puts on what they give. */
type OperationsMap<Operations> = {
  readonly [Name in keyof Operations & string as Capitalize<Name>]: Operations[Name] extends Operation<infer _State, infer Input, infer Output>
    ? [Input, (Output extends object ? Output : object) & { $metadata: GetRoleCommandOutput["$metadata"] }]
    : never;
};

/** What each operation takes and gives, by the SDK's own types. */
export interface IamOperations extends OperationsMap<typeof iamOperations> {}
export interface StsOperations extends OperationsMap<typeof stsOperations> {}

declare module "@sandstack/core" {
  interface ServiceOperations {
    iam: IamOperations;
    sts: StsOperations;
  }
}
