import { ACCOUNT_ID, REGION } from "./instance.js";
import type { SimAws } from "sandstack";
import { sendDirectly } from "./via/direct.js";

/** Makes a call that prepares a case, as an administrator of the account: always directly, whatever way the case's own calls take. */
export async function administer<Output = object>(simAws: SimAws, service: string, operation: string, input: object): Promise<Output> {
  return (await sendDirectly({ simAws }, { service, operation, input, caller: undefined, accountId: ACCOUNT_ID, region: REGION })) as Output; // the caller names the operation's output
}
