import { awsError, frames, parseArn, type AwsError, type Caller, type Credentials, type MintedCredentials, type Scope, type World } from "@sandstack/core";
import type { CredentialScope } from "./credential-scope.js";
import type { WireService } from "./services.js";

/** Whom a request is from, and which account and region it calls. */
export interface Identity {
  /** `undefined`: nobody named, so the account's root, or whom `runAs` says. */
  readonly caller: Caller | undefined;
  readonly scope: Scope;
}

/** What becomes of an access key that the sandbox gave nobody: refused as AWS does, or taken for an account's root. */
export type UnknownKeys = "refuse" | "accept";

/**
 * The credentials with which SDK clients sign as `caller` in an account; the same for the same caller.
 *
 * @param caller left out: the account's root
 */
export function mintCredentials(world: World, accountId: string, caller: Caller | undefined): Credentials {
  if (caller?.kind === "credentials") return caller.credentials;
  const calledAccountId = accountOfCaller(caller) ?? accountId;
  for (const minted of world.mintedCredentials.values()) {
    if (minted.accountId === calledAccountId && isSameCaller(minted.caller, caller)) return minted.credentials;
  }
  const number = String(world.mintedCredentials.size + 1).padStart(12, "0");
  // Twenty characters, as AWS's access keys have.
  const credentials = { accessKeyId: `AKIASIMK${number}`, secretAccessKey: `sandstack-test-secret-${number}` };
  world.mintedCredentials.set(credentials.accessKeyId, { credentials, caller, accountId: calledAccountId });
  return credentials;
}

function isSameCaller(a: Caller | undefined, b: Caller | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind === "arn") return b.kind === "arn" && a.arn === b.arn;
  if (a.kind === "service") return b.kind === "service" && a.service === b.service;
  return a.kind === b.kind;
}

/** A user or role calls its own account; services and strangers belong to none. */
function accountOfCaller(caller: Caller | undefined): string | undefined {
  return caller?.kind === "arn" ? parseArn(caller.arn)?.accountId : undefined;
}

/** The credentials behind an access key, wherever they were made. */
export function credentialsOf(world: World, accessKeyId: string): Credentials | undefined {
  return world.mintedCredentials.get(accessKeyId)?.credentials ?? world.authorizer.credentialsOf?.(accessKeyId);
}

/**
 * Whom a request is from: the one whose access key signed it. The signature itself is checked elsewhere, where the client is not in this process.
 *
 * @param home the account and region of a request that names none
 * @throws InvalidClientTokenId or UnrecognizedClientException (403), ExpiredToken
 */
export function identify(world: World, service: WireService, signer: CredentialScope | undefined, home: Scope, unknownKeys: UnknownKeys): Identity {
  if (signer === undefined) return unknownKeys === "accept" ? { caller: callerByDefault(world), scope: home } : { caller: { kind: "anonymous" }, scope: home };
  const region = signer.region === "" ? home.region : signer.region;
  const minted = world.mintedCredentials.get(signer.accessKeyId);
  if (minted !== undefined) return ofMinted(minted, region);
  const known = world.authorizer.credentialsOf?.(signer.accessKeyId);
  if (known === undefined) {
    if (unknownKeys === "refuse") throw unknownKey(service);
    // `test` users of other simulators name an account by a key of twelve digits.
    const accountId = /^\d{12}$/.test(signer.accessKeyId) ? signer.accessKeyId : home.accountId;
    return { caller: callerByDefault(world), scope: { accountId, region } };
  }
  const caller: Caller = { kind: "credentials", credentials: { ...known, sessionToken: signer.sessionToken } };
  const principal = world.authorizer.resolve(caller, { accountId: home.accountId, region });
  return { caller, scope: { accountId: "accountId" in principal ? principal.accountId : home.accountId, region } };
}

function ofMinted({ caller, accountId }: MintedCredentials, region: string): Identity {
  return { caller, scope: { accountId, region } };
}

/** Inside an invocation, a client that was given no credentials of the sandbox is the function's execution role. */
function callerByDefault(world: World): Caller | undefined {
  const frame = frames.getStore();
  return frame?.world === world && frame.caller === undefined ? frame.work?.sdkCaller : undefined;
}

function unknownKey(service: WireService): AwsError {
  if (service.protocols[0] === "restXml") return awsError(`@aws-sdk/client-${service.id}`, { name: "InvalidAccessKeyId", httpStatusCode: 403 }, "The AWS Access Key Id you provided does not exist in our records.");
  return awsError(
    `@aws-sdk/client-${service.id}`,
    { name: "UnrecognizedClientException", queryCode: "InvalidClientTokenId", httpStatusCode: 403 },
    "The security token included in the request is invalid.",
  );
}
