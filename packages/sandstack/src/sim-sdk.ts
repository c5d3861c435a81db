import { checkOptions, memberNames, simError, type Scope } from "@sandstack/core";
import { SdkRequestHandler } from "@sandstack/protocol";
import { SimAws, worldOf } from "./sim-aws.js";

export interface SimSdkOptions {
  /** The world that answers. Default: a new one. */
  readonly simAws?: SimAws;
}

const OPTIONS = memberNames<SimSdkOptions>({ simAws: true });

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
  /** Asks for the region too. */
  useFipsEndpoint?: () => Promise<boolean>;
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
  readonly #scope: Scope;
  readonly #classes = new Set<SdkClient>();
  readonly #clients = new Set<SdkClient>();

  /** @throws SimInvalidOption */
  constructor(options: SimSdkOptions = {}) {
    checkOptions("new SimSdk()", options, OPTIONS);
    const { simAws = new SimAws() } = options;
    this.simAws = simAws;
    this.#scope = { accountId: simAws.defaultAccountId, region: simAws.defaultRegionName };
    this.#handler = new SdkRequestHandler(worldOf(simAws), { scope: this.#scope, unknownKeys: "accept" });
  }

  /**
   * Has a client, or all clients of a class (`SQSClient`), answered by the sandbox.
   *
   * @throws SimNoSdkClient for anything else
   */
  intercept(target: SdkClient | SdkClientClass): this {
    if (typeof target === "function" && isClient(target.prototype, ["send"])) this.#interceptClass(target.prototype);
    else if (isClient(target, ["send", "config"])) this.#prepare(target);
    else throw simError("SimNoSdkClient", "intercept() takes a client of the AWS SDK v3, or the class of one: intercept(SQSClient).");
    return this;
  }

  /** Gives all clients back what they had. */
  restoreAll(): void {
    for (const prototype of this.#classes) leaveClass(prototype, this.#prepare);
    for (const client of this.#clients) {
      // Where another interception took the client over, that one gives it back.
      if ((client.config as ClientConfig).requestHandler === this.#handler) restoreClient(client); // as below
    }
    this.#classes.clear();
    this.#clients.clear();
  }

  [Symbol.dispose](): void {
    this.restoreAll();
  }

  #interceptClass(prototype: SdkClient): void {
    if (this.#classes.has(prototype)) return;
    enterClass(prototype, this.#prepare);
    this.#classes.add(prototype);
  }

  readonly #prepare = (client: SdkClient): void => {
    const config = client.config as ClientConfig; // every client's configuration has these members
    if (config.requestHandler === this.#handler) return;
    restoreClient(client);
    const { credentials, region, useFipsEndpoint } = config;
    takeClient(client, {
      requestHandler: this.#handler,
      credentials: this.#credentialsInsteadOf(credentials),
      region: async () => (await found(region)) ?? this.#scope.region,
      useFipsEndpoint: async () => (await found(useFipsEndpoint)) ?? false,
    });
    this.#clients.add(client);
  };

  /** The default chain would ask the host's files and the network: of it only the environment is left. */
  #credentialsInsteadOf(provider: CredentialsProvider | undefined): CredentialsProvider {
    if (provider?.attributed === true) return provider;
    return async () => environmentCredentials() ?? { ...NOBODYS_CREDENTIALS };
  }
}

/** What a client signs with that has none: a key of nobody, so that the request is from whom its circumstances say. */
const NOBODYS_CREDENTIALS = { accessKeyId: "AKIANOBODYSSANDSTACK", secretAccessKey: "nobody's" };

function environmentCredentials(): object | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = process.env;
  return accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey, sessionToken };
}

/** What a client was given or finds in its environment; `undefined` where its region is missing. */
async function found<T>(provider: (() => Promise<T>) | undefined): Promise<T | undefined> {
  try {
    return await provider?.();
  } catch {
    return undefined; // "Region is missing": the SDK's providers know no other reason
  }
}

function isClient(target: unknown, members: readonly string[]): target is SdkClient {
  return typeof target === "object" && target !== null && members.every((member) => member in target);
}

type Prepare = (client: SdkClient) => void;

/** The `send` that interception puts on a class: it prepares the client as the latest interception wants it, then sends. */
interface InterceptedSend {
  (this: SdkClient, ...args: never[]): unknown;
  /** The interceptions of the class, the latest last. */
  readonly [PREPARES]: Prepare[];
}

const PREPARES: unique symbol = Symbol.for("sandstack.sdk-interceptions");

function interceptionsOf(prototype: SdkClient): Prepare[] | undefined {
  return Object.hasOwn(prototype, "send") ? (prototype.send as Partial<InterceptedSend>)[PREPARES] : undefined; // a `send` of ours has them
}

function enterClass(prototype: SdkClient, prepare: Prepare): void {
  const others = interceptionsOf(prototype);
  if (others !== undefined) return void others.push(prepare);
  const prepares = [prepare];
  const { send } = prototype;
  function interceptedSend(this: SdkClient, ...args: never[]): unknown {
    prepares.at(-1)?.(this);
    return send.apply(this, args);
  }
  override(prototype, { send: Object.assign(interceptedSend, { [PREPARES]: prepares }) });
}

function leaveClass(prototype: SdkClient, prepare: Prepare): void {
  const prepares = interceptionsOf(prototype);
  if (prepares === undefined) return;
  prepares.splice(prepares.indexOf(prepare), 1);
  if (prepares.length === 0) restore(prototype);
}

function takeClient(client: SdkClient, config: Required<ClientConfig>): void {
  override(client.config, config);
  forgetResolvedCommands(client);
}

function restoreClient(client: SdkClient): void {
  restore(client.config);
  forgetResolvedCommands(client);
}

/** A client made with `cacheMiddleware` keeps what it made of its configuration for each command. */
function forgetResolvedCommands(client: SdkClient): void {
  delete (client as { handlers?: unknown }).handlers; // where the SDK keeps them
}

/** The properties that `override` put others in the place of. */
const overridden = new WeakMap<object, Map<string, PropertyDescriptor | undefined>>();

function override(target: object, values: object): void {
  overridden.set(target, new Map(Object.keys(values).map((name) => [name, Object.getOwnPropertyDescriptor(target, name)])));
  for (const [name, value] of Object.entries(values)) Object.defineProperty(target, name, { value, configurable: true, enumerable: true, writable: true });
}

function restore(target: object): void {
  for (const [name, before] of overridden.get(target) ?? []) {
    if (before === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, before);
  }
  overridden.delete(target);
}
