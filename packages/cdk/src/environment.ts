import { partitionOf, urlSuffixOf, type Scope } from "@sandstack/core";

/** `aws://ACCOUNT/REGION`; either may be unknown, in a stack that is to go wherever it is deployed. */
const ENVIRONMENT = /^aws:\/\/([^/]+)\/(.+)$/;

/**
 * Where a stack of the environment is deployed.
 *
 * @param environment a stack's `environment` in the manifest
 * @param defaults what stands for an account or region that the stack leaves open
 */
export function scopeOfEnvironment(environment: string | undefined, defaults: Scope): Scope {
  const [, account, region] = ENVIRONMENT.exec(environment ?? "") ?? [];
  return {
    accountId: account === undefined || account === "unknown-account" ? defaults.accountId : account,
    region: region === undefined || region === "unknown-region" ? defaults.region : region,
  };
}

/** Writes the scope into a manifest's text, as the CDK's deployer does: manifests keep `${AWS::AccountId}` and its like. */
export function substituteEnvironment(text: string, scope: Scope): string {
  const values: Record<string, string> = {
    "AWS::AccountId": scope.accountId,
    "AWS::Region": scope.region,
    "AWS::Partition": partitionOf(scope.region),
    "AWS::URLSuffix": urlSuffixOf(scope.region),
  };
  return text.replace(/\$\{(AWS::\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
