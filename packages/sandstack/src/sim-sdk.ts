import { simError, type Scope, type World } from "@sandstack/core";
import { mintCredentials, SdkRequestHandler } from "@sandstack/protocol";
import { SimAws, worldOf } from "./sim-aws.js";

export interface SimSdkOptions {
  /** The world that answers. Default: a new one. */
  readonly simAws?: SimAws;
}

/** An SDK v3 client, or its class, as far as interception touches it. */
export interface SdkClient {
  readonly send: (...args: never[]) => unknown;
  readonly config: object;
}
// `any`: only so is every client's class taken, whatever its constructor wants.
export type SdkClientClass = abstract new (...args: any[]) => SdkClient;

/** The members of a client's configuration that interception puts its own in the place of. */
interface ClientConfig {
  requestHandler?: unknown;
  credentials?: CredentialsProvider;
  region?: () => Promise<string>;
}

/** The SDK's provider of credentials; `attributed` marks one that the user gave, against the default chain. */
interface CredentialsProvider {
  (options?: object): Promise<unknown>;
  attributed?: boolean;
}

/**
 * Leads SDK clients into the sandbox that the code under test makes by itself, without changing that code:
 * those made before and those made later.
 *
 * A client whose credentials the sandbox gave out is whom they belong to; one with any others, or none, is whom `runAs` names, else the
 * account's root. Inside a Lambda invocation it is the function's execution role.
 */
export class SimSdk {
  readonly simAws: SimAws;
  readonly #handler: SdkRequestHandler;
  readonly #world: World;
  readonly #scope: Scope;
  readonly #restores: (() => void)[] = [];
  readonly #prepared = new Set<object>();

  constructor({ simAws = new SimAws() }: SimSdkOptions = {}) {
    this.simAws = simAws;
    this.#world = worldOf(simAws);
    this.#scope = { accountId: simAws.defaultAccountId, region: simAws.defaultRegionName };
    this.#handler = new SdkRequestHandler(this.#world, { scope: this.#scope, unknownKeys: "accept" });
  }

  /**
   * Has a client, or all clients of a class (`SQSClient`), answered by the sandbox.
   *
   * @throws SimNoSdkClient for anything else
   */
  intercept(target: SdkClient | SdkClientClass): this {
    if (typeof target === "function" && isClient(target.prototype, ["send"])) this.#interceptClass(target);
    else if (isClient(target, ["send", "config"])) this.#prepare(target);
    else throw simError("SimNoSdkClient", "intercept() takes a client of the AWS SDK v3, or the class of one: intercept(SQSClient).");
    return this;
  }

  /** Gives all clients back what they had. */
  restoreAll(): void {
    for (const restore of this.#restores.splice(0).reverse()) restore();
    this.#prepared.clear();
  }

  [Symbol.dispose](): void {
    this.restoreAll();
  }

  #interceptClass(clientClass: SdkClientClass): void {
    const prototype = clientClass.prototype as SdkClient; // a class's instances have its prototype
    const { send } = prototype;
    const prepare = (client: SdkClient): void => this.#prepare(client);
    let isActive = true;
    function interceptedSend(this: SdkClient, ...args: never[]): unknown {
      if (isActive) prepare(this);
      return send.apply(this, args);
    }
    const restore = override(prototype, "send", { value: interceptedSend, writable: true });
    this.#restores.push(() => {
      isActive = false;
      // Where somebody else has put another in its place since, ours stays below it and lets all pass.
      if (prototype.send === interceptedSend) restore();
    });
  }

  #prepare(client: SdkClient): void {
    const config = client.config as ClientConfig; // every client's configuration has them
    if (config.requestHandler === this.#handler) return;
    const { credentials, region } = config;
    const restores = [
      override(config, "requestHandler", { value: this.#handler, writable: true }),
      override(config, "credentials", { value: this.#credentialsInsteadOf(credentials), writable: true }),
      override(config, "region", { value: async () => (await foundRegion(region)) ?? this.#scope.region, writable: true }),
    ];
    forgetResolvedCommands(client);
    if (this.#prepared.has(client)) return;
    this.#prepared.add(client);
    this.#restores.push(() => {
      for (const restore of restores.reverse()) restore();
      forgetResolvedCommands(client);
    });
  }

  /** The default chain would ask the host's files and the network: of it only the environment is left. */
  #credentialsInsteadOf(provider: CredentialsProvider | undefined): CredentialsProvider {
    if (provider?.attributed === true) return provider;
    return async () => environmentCredentials() ?? { ...mintCredentials(this.#world, this.#scope.accountId, undefined) };
  }
}

function environmentCredentials(): object | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = process.env;
  return accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey, sessionToken };
}

/** The region that a client was given or finds in its environment. */
async function foundRegion(region: ClientConfig["region"]): Promise<string | undefined> {
  try {
    return await region?.();
  } catch {
    return undefined; // "Region is missing": the SDK knows no other reason
  }
}

function isClient(target: unknown, members: readonly string[]): target is SdkClient {
  return typeof target === "object" && target !== null && members.every((member) => member in target);
}

/** A client made with `cacheMiddleware` keeps what it made of its configuration for each command. */
function forgetResolvedCommands(client: SdkClient): void {
  delete (client as { handlers?: unknown }).handlers; // where the SDK keeps them
}

/** Puts a property in the place of another; answers how to undo it. */
function override(target: object, name: string, property: PropertyDescriptor): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { configurable: true, enumerable: true, ...property });
  return () => {
    if (before === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, before);
  };
}
