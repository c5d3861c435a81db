import { SimCdk } from "@sandstack/cdk";
import { simError, type Scope, type ServiceId, type World } from "@sandstack/core";
import { authorizeIn, type AuthorizeInput, type PolicyDecision } from "@sandstack/iam";
import { lackOfService } from "@sandstack/protocol";
import { messagesIn, type SimSqsMessage } from "@sandstack/sqs";
import { serviceFacade, type ServiceFacade } from "./facade.js";
import { simCloudFormation, type SimCloudFormationService } from "./sim-cloudformation.js";
import { checkAccountId, checkRegionName } from "./sim-aws-options.js";
import { sdkConfig, type SdkConfig, type SdkConfigOptions } from "./sdk-config.js";

// What the services' methods take and give. Exported, because declaration files keep no import that they do not name.
export type { CloudFormationOperations } from "@sandstack/cloudformation";
export type { IamOperations, StsOperations } from "@sandstack/iam";
export type { LambdaOperations } from "@sandstack/lambda";
export type { SqsOperations } from "@sandstack/sqs";

/** IAM called directly, and asked. */
export type SimIam = ServiceFacade<"iam"> & {
  /** Asks whether a call would be allowed, and which statement says so, without making it. */
  authorize(input: AuthorizeInput): PolicyDecision;
};

/** SQS called directly, and looked into. */
export type SimSqs = ServiceFacade<"sqs"> & {
  /**
   * The messages of a queue, oldest first, wherever they are: visible, delayed or in flight. To look is no receive: it counts
   * nothing, hides nothing and needs no permission. What it answers are copies.
   *
   * @throws QueueDoesNotExist
   */
  messages(queueUrl: string | undefined): SimSqsMessage[];
};

/** One account and region. IAM and STS are the account's, the other services the region's. */
export class SimScope {
  readonly #world: World;
  readonly #scope: Scope;
  readonly #facades = new Map<string, unknown>();
  #sqs: SimSqs | undefined;

  constructor(world: World, scope: Scope) {
    this.#world = world;
    this.#scope = scope;
  }

  /** The same region in another account. @throws SimInvalidOption for an id that is not of twelve digits */
  account(accountId: string): SimScope {
    checkAccountId("The argument of account()", accountId);
    return new SimScope(this.#world, { ...this.#scope, accountId });
  }

  /** Another region of the same account. @throws SimInvalidOption for what cannot be a region's name */
  region(name: string): SimScope {
    checkRegionName("The argument of region()", name);
    return new SimScope(this.#world, { ...this.#scope, region: name });
  }

  sqs(): SimSqs {
    return (this.#sqs ??= Object.assign(this.#service("sqs"), { messages: (queueUrl: string | undefined) => messagesIn(this.#world, this.#scope, queueUrl ?? "") }));
  }

  iam(): SimIam {
    return Object.assign(this.#service("iam"), { authorize: (input: AuthorizeInput) => authorizeIn(this.#world, this.#scope, input) });
  }

  sts(): ServiceFacade<"sts"> {
    return this.#service("sts");
  }

  lambda(): ServiceFacade<"lambda"> {
    return this.#service("lambda");
  }

  cloudFormation(): SimCloudFormationService {
    return simCloudFormation(this.#world, this.#scope, this.#service("cloudformation"));
  }

  /** The sandbox has no SNS yet. @throws SimUnsupported always, naming the services there are */
  sns(): never {
    throw this.#lackOf("sns", "Send to the queue or invoke the function that a topic would deliver to.");
  }

  /** The sandbox has no S3 yet. @throws SimUnsupported always, naming the services there are */
  s3(): never {
    throw this.#lackOf("s3", "Send to the queue or invoke the function that a bucket would notify; the files of a CDK app's assets need no bucket.");
  }

  /** Deploys CDK apps: `const { Orders } = await simAws.cdk().deploy(app)`. */
  cdk(): SimCdk {
    const cloudFormation = (scope: Scope): SimCloudFormationService => new SimScope(this.#world, scope).cloudFormation();
    return new SimCdk({ assets: this.#world.assets, scope: this.#scope, cloudFormation });
  }

  /**
   * The configuration of a real SDK client that calls this scope, in process: `new SQSClient(simAws.sdkConfig())`.
   * The account called is the caller's, as on AWS.
   *
   * The client is who the configuration says, also inside a function that is run in process: without a caller the account's root, not
   * the function's execution role. Clients that `SimSdk` intercepts, and those of isolated code, are the execution role there.
   *
   * @throws SimInvalidOption, SimUnknownCaller
   */
  sdkConfig(options?: SdkConfigOptions): SdkConfig {
    return sdkConfig(this.#world, this.#scope, options);
  }

  #lackOf(service: string, instead: string): Error {
    return simError("SimUnsupported", `${lackOfService(this.#world, service)} ${instead}`);
  }

  #service<Id extends ServiceId>(id: Id): ServiceFacade<Id> {
    let facade = this.#facades.get(id);
    if (facade === undefined) this.#facades.set(id, (facade = serviceFacade(this.#world, this.#scope, id)));
    return facade as ServiceFacade<Id>; // made for this id
  }
}
