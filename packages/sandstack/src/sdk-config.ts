import { checkCaller, checkOptions, memberNames, type Caller, type Credentials, type Scope, type World } from "@sandstack/core";
import { mintCredentials, SdkRequestHandler } from "@sandstack/protocol";
import { checkRegionName } from "./sim-aws-options.js";

export interface SdkConfigOptions {
  /** Who the client is. Default: the account's root, and inside `runAs` its caller. */
  readonly caller?: Caller;
  /** Default: the scope's. */
  readonly region?: string;
}

/** What any client of the AWS SDK v3 takes: `new SQSClient(simAws.sdkConfig())`. */
export interface SdkConfig {
  readonly region: string;
  /** A session token is there or it is not: clients take no `undefined` under `exactOptionalPropertyTypes`. */
  readonly credentials: Omit<Credentials, "sessionToken"> & { readonly sessionToken?: string };
  readonly requestHandler: SdkRequestHandler;
}

const OPTIONS = memberNames<SdkConfigOptions>({ caller: true, region: true });

/**
 * A plain configuration for SDK clients that are answered in process: their serializers, retries, paginators, waiters and exceptions are all real.
 *
 * @throws SimInvalidOption, SimUnknownCaller
 */
export function sdkConfig(world: World, scope: Scope, options: SdkConfigOptions = {}): SdkConfig {
  checkOptions("sdkConfig()", options, OPTIONS);
  const { caller, region = scope.region } = options;
  if (caller !== undefined) checkCaller(caller);
  checkRegionName("region", region);
  return {
    region,
    // A copy: a client may keep notes on what it is given.
    credentials: withoutUndefined(mintCredentials(world, scope.accountId, caller)),
    requestHandler: new SdkRequestHandler(world, { scope: { ...scope, region } }),
  };
}

function withoutUndefined({ sessionToken, ...pair }: Credentials): SdkConfig["credentials"] {
  return sessionToken === undefined ? pair : { ...pair, sessionToken };
}
