import { invoke, World, type Scope } from "@sandstack/core";
import { iamService } from "@sandstack/iam";
import { sqsService } from "@sandstack/sqs";
import type { GetQueueAttributesCommandOutput, Message, ReceiveMessageCommandOutput, SendMessageCommandOutput } from "@aws-sdk/client-sqs";
import fc from "fast-check";
import { arnOf } from "./setup.js";

type Step =
  | { readonly kind: "send"; readonly group: number; readonly deduplicationId: number }
  | { readonly kind: "receive"; readonly count: number; readonly visibilityTimeoutSeconds: number }
  | { readonly kind: "delete"; readonly pick: number }
  | { readonly kind: "hide"; readonly pick: number; readonly seconds: number }
  | { readonly kind: "delay"; readonly seconds: number }
  | { readonly kind: "advance"; readonly seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("send" as const), group: fc.nat(2), deduplicationId: fc.nat(60) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("receive" as const), count: fc.integer({ min: 1, max: 5 }), visibilityTimeoutSeconds: fc.constantFrom(0, 1, 3, 8) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("delete" as const), pick: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("hide" as const), pick: fc.nat(3), seconds: fc.constantFrom(0, 1, 5, 20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delay" as const), seconds: fc.constantFrom(0, 0, 2) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("advance" as const), seconds: fc.constantFrom(1, 2, 5, 200) }) },
);

const story = fc.record({ maxReceiveCount: fc.integer({ min: 1, max: 4 }), steps: fc.array(step, { minLength: 1, maxLength: 80, size: "max" }) });

const scope: Scope = { accountId: "888888888888", region: "us-east-1" };
const SETTINGS = { services: [sqsService, iamService], seed: 1, clock: "manual", startTimeMs: 0, iam: "off" } as const;

/** What a consumer holds: the message, its place in its group, and until when nobody else may get it. */
interface Held {
  readonly id: string;
  readonly handle: string;
  hiddenUntilMs: number;
}

/** Plays a story against a model that knows nothing of how a queue works, only what it promises. */
class Player {
  readonly world = new World(SETTINGS);
  readonly urls: { readonly source: string; readonly dlq: string };
  /** The ids sent to each group, in the order of sending; those deleted are taken out. */
  readonly groups = new Map<string, string[]>();
  readonly alive = new Set<string>();
  readonly sentAtMs = new Map<string, number>();
  #delaySeconds = 0;
  /** Until when a deduplication id is taken, and by which message. */
  readonly taken = new Map<number, { readonly id: string; readonly untilMs: number }>();
  readonly held: Held[] = [];
  /** Whether the world is put in a clone's place after each step. */
  readonly #isCloned: boolean;

  private constructor(urls: Player["urls"], world: World, isCloned: boolean) {
    this.world = world;
    this.urls = urls;
    this.#isCloned = isCloned;
  }

  static async begin(maxReceiveCount: number, isCloned = false): Promise<Player> {
    const world = new World(SETTINGS);
    const create = async (QueueName: string, Attributes: object): Promise<string> => {
      const attributes = { FifoQueue: "true", ContentBasedDeduplication: "true", ...Attributes };
      return ((await invoke(world, scope, "sqs", "CreateQueue", { QueueName, Attributes: attributes })) as { QueueUrl: string }).QueueUrl;
    };
    const dlq = await create("dlq.fifo", {});
    const source = await create("q.fifo", { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arnOf("dlq.fifo"), maxReceiveCount }) });
    return new Player({ source, dlq }, world, isCloned);
  }

  async call<Output>(operation: string, input: object): Promise<Output> {
    return (await invoke(this.world, scope, "sqs", operation, { QueueUrl: this.urls.source, ...input })) as Output;
  }

  get nowMs(): number {
    return this.world.nowMs;
  }

  /** The ids that were moved to the dead-letter queue, in their order. */
  get deadIds(): string[] {
    return [...this.world.log().filter({ kind: "sqs.message.moved" })].map((record) => (record as unknown as { messageId: string }).messageId);
  }

  async play(each: Step): Promise<void> {
    switch (each.kind) {
      case "send":
        await this.#send(each);
        break;
      case "receive":
        await this.#receive(each);
        break;
      case "delete":
        await this.#delete(each);
        break;
      case "hide":
        await this.#hide(each);
        break;
      case "delay":
        await this.call("SetQueueAttributes", { Attributes: { DelaySeconds: String(each.seconds) } });
        this.#delaySeconds = each.seconds;
        break;
      case "advance":
        await this.world.background.advance(this.nowMs + each.seconds * 1000);
    }
    if (this.#isCloned) this.world.state = structuredClone(this.world.state);
    await this.#compareCounts();
  }

  async #send({ group, deduplicationId }: Extract<Step, { kind: "send" }>): Promise<void> {
    const { MessageId: id } = await this.call<SendMessageCommandOutput>("SendMessage", { MessageBody: `d${deduplicationId}`, MessageGroupId: `g${group}`, MessageDeduplicationId: `d${deduplicationId}` });
    const original = this.taken.get(deduplicationId);
    if (original !== undefined && original.untilMs > this.nowMs) {
      expect(id).toBe(original.id);
      return;
    }
    expect(this.alive).not.toContain(id);
    this.taken.set(deduplicationId, { id: id!, untilMs: this.nowMs + 300_000 });
    this.alive.add(id!);
    this.sentAtMs.set(id!, this.nowMs);
    this.groups.set(`g${group}`, [...(this.groups.get(`g${group}`) ?? []), id!]);
  }

  async #receive({ count, visibilityTimeoutSeconds }: Extract<Step, { kind: "receive" }>): Promise<void> {
    const { Messages = [] } = await this.call<ReceiveMessageCommandOutput>("ReceiveMessage", { MaxNumberOfMessages: count, VisibilityTimeout: visibilityTimeoutSeconds, MessageSystemAttributeNames: ["All"] });
    const hidden = new Set(this.held.filter(({ hiddenUntilMs }) => hiddenUntilMs > this.nowMs).map(({ id }) => id));
    // What has had its last chance was moved, and is not among the present any more.
    const available = [...this.groups.keys()].reduce((sum, group) => sum + this.#availableIn(group, hidden), 0);
    expect(Messages).toHaveLength(Math.min(count, available));
    const receivedNow = new Map<string, string[]>();
    for (const { MessageId: id = "", Attributes } of Messages) {
      expect(this.alive).toContain(id);
      expect(hidden).not.toContain(id);
      const group = Attributes!.MessageGroupId!;
      receivedNow.set(group, [...(receivedNow.get(group) ?? []), id]);
    }
    for (const [group, ids] of receivedNow) {
      // The first of the group that are there, in their order: none is passed over, and none that is hidden has come before.
      expect(ids).toEqual(this.#presentIn(group).slice(0, ids.length));
    }
    // One group as far as it goes before another: no group comes twice.
    expect(Messages.map(({ Attributes }) => Attributes!.MessageGroupId).filter((group, index, all) => group !== all[index - 1])).toEqual([...receivedNow.keys()]);
    for (const { MessageId, ReceiptHandle } of Messages) this.held.push({ id: MessageId!, handle: ReceiptHandle!, hiddenUntilMs: this.nowMs + visibilityTimeoutSeconds * 1000 });
  }

  /** The messages of a group that are in the queue, in the order of sending. */
  #presentIn(group: string): string[] {
    const dead = this.deadIds;
    return (this.groups.get(group) ?? []).filter((id) => this.alive.has(id) && !dead.includes(id));
  }

  /** How many messages of a group can be received: those before the first that is hidden or delayed. */
  #availableIn(group: string, hidden: ReadonlySet<string>): number {
    const present = this.#presentIn(group);
    const isDelayed = (id: string): boolean => this.sentAtMs.get(id)! + this.#delaySeconds * 1000 > this.nowMs && !this.held.some((each) => each.id === id);
    const end = present.findIndex((id) => hidden.has(id) || isDelayed(id));
    return end === -1 ? present.length : end;
  }

  /** One of those received latest, whose handle may have lapsed. */
  #pick(pick: number): Held | undefined {
    return this.held.at(-1 - (pick % Math.max(this.held.length, 1)));
  }

  async #delete({ pick }: Extract<Step, { kind: "delete" }>): Promise<void> {
    const chosen = this.#pick(pick);
    if (chosen === undefined) return;
    const isThere = this.alive.has(chosen.id) && !this.deadIds.includes(chosen.id);
    const outcome = await this.call("DeleteMessage", { ReceiptHandle: chosen.handle }).then(() => "deleted", (error: Error) => error.message);
    // A handle is good until its visibility timeout lapses; one of a message that is gone does nothing.
    if (isThere && chosen.hiddenUntilMs <= this.nowMs) expect(outcome).toMatch(/The receipt handle has expired\.$/);
    else expect(outcome).toBe("deleted");
    if (!isThere || chosen.hiddenUntilMs <= this.nowMs) return;
    this.alive.delete(chosen.id);
    chosen.hiddenUntilMs = 0;
  }

  async #hide({ pick, seconds }: Extract<Step, { kind: "hide" }>): Promise<void> {
    const chosen = this.#pick(pick);
    if (chosen === undefined) return;
    const isHeld = this.alive.has(chosen.id) && chosen.hiddenUntilMs > this.nowMs;
    const isChanged = await this.call("ChangeMessageVisibility", { ReceiptHandle: chosen.handle, VisibilityTimeout: seconds }).then(() => true, () => false);
    expect(isChanged).toBe(isHeld);
    if (isChanged) chosen.hiddenUntilMs = this.nowMs + seconds * 1000;
  }

  async countsOf(QueueUrl: string): Promise<{ visible: number; inFlight: number; delayed: number }> {
    const { Attributes } = await this.call<GetQueueAttributesCommandOutput>("GetQueueAttributes", { QueueUrl, AttributeNames: ["All"] });
    const { ApproximateNumberOfMessages: visible, ApproximateNumberOfMessagesNotVisible: inFlight, ApproximateNumberOfMessagesDelayed: delayed } = Attributes!;
    return { visible: Number(visible), inFlight: Number(inFlight), delayed: Number(delayed) };
  }

  async #compareCounts(): Promise<void> {
    const source = await this.countsOf(this.urls.source);
    const dlq = await this.countsOf(this.urls.dlq);
    const deadCount = new Set(this.deadIds).size;
    expect(source.inFlight).toBe(this.held.filter(({ id, hiddenUntilMs }) => this.alive.has(id) && hiddenUntilMs > this.nowMs).length);
    expect(source.visible + source.inFlight + source.delayed).toBe(this.alive.size - deadCount);
    expect(dlq).toEqual({ visible: deadCount, inFlight: 0, delayed: 0 });
  }

  /** What is left, once everything is visible again: it all has to be somewhere, in its order. */
  async end(): Promise<void> {
    await this.call("SetQueueAttributes", { Attributes: { DelaySeconds: "0", RedrivePolicy: "" } });
    await this.world.background.advance(this.nowMs + 60_000);
    const dead = this.deadIds;
    for (const [url, expected] of [[this.urls.source, [...this.alive].filter((id) => !dead.includes(id))], [this.urls.dlq, dead]] as const) {
      const left = await this.drain(url);
      expect(left.map(({ MessageId }) => MessageId).sort()).toEqual([...expected].sort());
      for (const ids of this.groups.values()) {
        const ofGroup = left.map(({ MessageId }) => MessageId!).filter((id) => ids.includes(id));
        expect(ofGroup).toEqual((url === this.urls.dlq ? dead : ids).filter((id) => ofGroup.includes(id)));
      }
    }
    // Dead letters of a group stand in the order in which they were sent.
    for (const ids of this.groups.values()) expect(dead.filter((id) => ids.includes(id))).toEqual(ids.filter((id) => dead.includes(id)));
  }

  async drain(QueueUrl: string): Promise<Message[]> {
    const all: Message[] = [];
    for (;;) {
      const { Messages } = await this.call<ReceiveMessageCommandOutput>("ReceiveMessage", { QueueUrl, MaxNumberOfMessages: 10 });
      if (Messages === undefined) return all;
      all.push(...Messages);
      for (const { ReceiptHandle } of Messages) await this.call("DeleteMessage", { QueueUrl, ReceiptHandle });
    }
  }
}

describe("a FIFO queue, under any order of sends, receives, deletes, changes of visibility and delay, lapses and dead letters,", () => {
  test("loses nothing, keeps the order of each group, gives nothing to two at a time, stores no duplicate, and counts right", async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ maxReceiveCount, steps }) => {
        const player = await Player.begin(maxReceiveCount);
        for (const each of steps) await player.play(each);
        await player.end();
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  test("does the same twice, and when its state is cloned at each instant", async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ maxReceiveCount, steps }) => {
        const logs: string[] = [];
        for (const isCloned of [false, false, true]) {
          const player = await Player.begin(maxReceiveCount, isCloned);
          for (const each of steps) await player.play(each);
          await player.end();
          logs.push(String(player.world.log()));
        }
        expect(logs[1]).toBe(logs[0]);
        expect(logs[2]).toBe(logs[0]);
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});
