import { invoke, World, type Scope } from "@sandstack/core";
import { iamService } from "@sandstack/iam";
import type { Message, ReceiveMessageCommandOutput } from "@aws-sdk/client-sqs";
import fc from "fast-check";
import { SimAws } from "sandstack";
import { sqsService } from "@sandstack/sqs";
import { counts, createQueue, receive, redrivePolicy, send } from "./setup.js";

type Step =
  | { readonly kind: "send"; readonly delaySeconds: number; readonly MessageGroupId: string | undefined }
  | { readonly kind: "receive"; readonly count: number; readonly visibilityTimeoutSeconds: number }
  | { readonly kind: "delete"; readonly pick: number }
  | { readonly kind: "hide"; readonly pick: number; readonly seconds: number }
  | { readonly kind: "advance"; readonly seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("send" as const), delaySeconds: fc.constantFrom(0, 0, 0, 3), MessageGroupId: fc.constantFrom(undefined, undefined, "a", "b") }),
  fc.record({ kind: fc.constant("receive" as const), count: fc.integer({ min: 1, max: 4 }), visibilityTimeoutSeconds: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constant("delete" as const), pick: fc.nat(30) }),
  fc.record({ kind: fc.constant("hide" as const), pick: fc.nat(30), seconds: fc.constantFrom(0, 1, 5, 20) }),
  fc.record({ kind: fc.constant("advance" as const), seconds: fc.integer({ min: 1, max: 6 }) }),
);

/** What a consumer holds: a receipt handle, and until when nobody else may get the message. */
interface Held {
  readonly id: string;
  readonly handle: string;
  hiddenUntilMs: number;
}

describe("under any order of sends, receives, deletes, changes of visibility and time", () => {
  test("no message is lost, or given to two consumers within its visibility timeout", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 80, size: "max" }), async (steps) => {
        const simAws = new SimAws();
        const dlq = await createQueue(simAws, "dlq");
        const QueueUrl = await createQueue(simAws, "q", redrivePolicy("dlq", 3));
        const alive = new Set<string>();
        const deadLetters = (): Set<string> => new Set(simAws.log().filter({ kind: "sqs.message.moved" }).records.map((record) => (record as { messageId: string }).messageId));
        const held: Held[] = [];
        const nowMs = (): number => simAws.clock().now().getTime();
        const latest = (pick: number): Held | undefined => held[pick % Math.max(held.length, 1)];

        for (const each of steps) {
          switch (each.kind) {
            case "send": {
              const { MessageId } = await simAws.sqs().sendMessage({ input: { QueueUrl, MessageBody: "m", DelaySeconds: each.delaySeconds, MessageGroupId: each.MessageGroupId } });
              alive.add(MessageId!);
              break;
            }
            case "receive":
              for (const message of await receive(simAws, QueueUrl, { MaxNumberOfMessages: each.count, VisibilityTimeout: each.visibilityTimeoutSeconds })) {
                const id = message.MessageId!;
                expect(alive).toContain(id);
                for (const other of held) if (other.id === id) expect(other.hiddenUntilMs).toBeLessThanOrEqual(nowMs());
                held.push({ id, handle: message.ReceiptHandle!, hiddenUntilMs: nowMs() + each.visibilityTimeoutSeconds * 1000 });
              }
              break;
            case "delete": {
              const chosen = latest(each.pick);
              if (chosen === undefined) break;
              await simAws.sqs().deleteMessage({ input: { QueueUrl, ReceiptHandle: chosen.handle } });
              const isSuperseded = held.filter(({ id }) => id === chosen.id).at(-1) !== chosen;
              if (!isSuperseded && !deadLetters().has(chosen.id)) alive.delete(chosen.id);
              break;
            }
            case "hide": {
              const chosen = latest(each.pick);
              if (chosen === undefined) break;
              const changed = simAws.sqs().changeMessageVisibility({ input: { QueueUrl, ReceiptHandle: chosen.handle, VisibilityTimeout: each.seconds } });
              const isChanged = await changed.then(() => true, () => false);
              if (isChanged) chosen.hiddenUntilMs = nowMs() + each.seconds * 1000;
              break;
            }
            case "advance":
              await simAws.clock().advanceBy({ seconds: each.seconds });
          }
          const total = [...(await counts(simAws, QueueUrl)), ...(await counts(simAws, dlq))].reduce((sum, count) => sum + count, 0);
          expect(total).toBe(alive.size);
        }

        await simAws.clock().advanceBy({ minutes: 1 });
        const left: Message[] = [];
        for (const url of [QueueUrl, dlq]) for (let batch = await receive(simAws, url); batch.length > 0; batch = await receive(simAws, url)) left.push(...batch);
        expect(left).toHaveLength(alive.size);
        expect(new Set(left.map(({ MessageId }) => MessageId))).toEqual(alive);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});

describe("the state", () => {
  const scope: Scope = { accountId: "888888888888", region: "us-east-1" };

  test("is plain data: a clone taken at any instant goes on as the original does", async () => {
    const world = new World({ services: [sqsService, iamService], seed: 1, clock: "manual", startTimeMs: 0, iam: "off" });
    const call = async <Output>(operation: string, input: object): Promise<Output> => (await invoke(world, scope, "sqs", operation, input)) as Output;
    const { QueueUrl: dlq } = await call<{ QueueUrl: string }>("CreateQueue", { QueueName: "dlq" });
    const { QueueUrl } = await call<{ QueueUrl: string }>("CreateQueue", { QueueName: "q", Attributes: redrivePolicy("dlq", 1), tags: { a: "b" } });
    for (const MessageBody of ["a", "b", "c"]) await call("SendMessage", { QueueUrl, MessageBody, MessageAttributes: { bytes: { DataType: "Binary", BinaryValue: new Uint8Array([1]) } } });
    await call("SendMessage", { QueueUrl, MessageBody: "d", DelaySeconds: 10 });
    const { Messages } = await call<ReceiveMessageCommandOutput>("ReceiveMessage", { QueueUrl, MaxNumberOfMessages: 2 });

    const goOn = async (): Promise<unknown> => {
      await call("DeleteMessage", { QueueUrl, ReceiptHandle: Messages![0]!.ReceiptHandle });
      await world.background.advance(30_000);
      const source = await call<ReceiveMessageCommandOutput>("ReceiveMessage", { QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ["All"], MessageSystemAttributeNames: ["All"] });
      const dead = await call<ReceiveMessageCommandOutput>("ReceiveMessage", { QueueUrl: dlq, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ["All"] });
      return [source.Messages, dead.Messages, String(world.log())];
    };
    const snapshot = structuredClone(world.state);
    const expected = await goOn();
    world.state = snapshot;
    expect(await goOn()).toEqual(expected);
    expect(expected).toMatchObject([[{ Body: "c" }, { Body: "d" }], [{ Body: "b" }], expect.any(String)]);
  });

  test("does not grow, nor the scheduler, while messages come and go and the clock stands", async () => {
    const world = new World({ services: [sqsService, iamService], seed: 1, clock: "manual", startTimeMs: 0, iam: "off" });
    const call = async <Output>(operation: string, input: object): Promise<Output> => (await invoke(world, scope, "sqs", operation, input)) as Output;
    const { QueueUrl } = await call<{ QueueUrl: string }>("CreateQueue", { QueueName: "q" });
    const sizes: number[] = [];
    for (let round = 0; round < 3_000; round++) {
      await call("SendMessage", { QueueUrl, MessageBody: "m" });
      const { Messages } = await call<ReceiveMessageCommandOutput>("ReceiveMessage", { QueueUrl });
      await call("DeleteMessage", { QueueUrl, ReceiptHandle: Messages![0]!.ReceiptHandle });
      if (round % 1_000 === 999) sizes.push(JSON.stringify(structuredClone(world.state.services)).length, world.state.schedule.heap.length);
    }
    expect(new Set(sizes).size).toBe(2);
    expect(world.state.schedule.heap).toHaveLength(1);
  });
});

test("messages are handed out by age, however they came to be visible", async () => {
  const simAws = new SimAws();
  const QueueUrl = await createQueue(simAws, "q");
  for (let index = 0; index < 3_000; index++) {
    await send(simAws, QueueUrl, String(index));
    if (index % 100 === 0) await simAws.clock().advanceBy({ seconds: 1 });
  }
  // Every third message is received and comes back later.
  const seen: number[] = [];
  for (let index = 0; index < 1_000; index++) seen.push(...(await receive(simAws, QueueUrl, { MaxNumberOfMessages: 1, VisibilityTimeout: 5 })).map(({ Body }) => Number(Body)));
  expect(seen).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
  await simAws.clock().advanceBy({ seconds: 5 });
  const all: number[] = [];
  for (let batch = await receive(simAws, QueueUrl); batch.length > 0; batch = await receive(simAws, QueueUrl)) all.push(...batch.map(({ Body }) => Number(Body)));
  expect(all).toEqual(Array.from({ length: 3_000 }, (_, index) => index));
});
