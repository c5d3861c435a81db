import { CreateEventSourceMappingCommand, CreateFunctionCommand } from "@aws-sdk/client-lambda";
import { DeleteMessageCommand } from "@aws-sdk/client-sqs";
import fc from "fast-check";
import { SimAws, type DeliveryOptions } from "sandstack";
import { makeLambdaZipFileInput, type SimLambdaSqsEvent } from "sandstack/lambda";
import { arnOf, attributesOf, counts, createQueue, receive, receiveOne, redrivePolicy, send } from "./setup.js";

const bodies = Array.from({ length: 40 }, (_, index) => `m${index}`);

async function queueWith(delivery: DeliveryOptions | undefined, seed: string | number = 1): Promise<{ simAws: SimAws; url: string }> {
  const simAws = new SimAws({ startTime: new Date("2026-01-01T00:00:00Z"), seed, ...(delivery && { delivery }) });
  return { simAws, url: await createQueue(simAws, "q") };
}

/** Receives and deletes until two answers in a row are empty. */
async function drain(simAws: SimAws, QueueUrl: string, options: { WaitTimeSeconds?: number } = {}): Promise<string[]> {
  const received: string[] = [];
  for (let empty = 0; empty < 2; ) {
    const messages = await receive(simAws, QueueUrl, { MaxNumberOfMessages: 3, ...options });
    empty = messages.length === 0 ? empty + 1 : 0;
    for (const { Body, ReceiptHandle } of messages) {
      received.push(Body!);
      await simAws.sqs().deleteMessage(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }
  return received;
}

test.each([undefined, {}, { duplicates: 0, reorder: 0, emptyReceives: 0 }, { duplicates: undefined }])("delivery is exact as %p", async (delivery) => {
  const { simAws, url } = await queueWith(delivery);
  await send(simAws, url, ...bodies);
  expect(await drain(simAws, url)).toEqual(bodies);
  // Chance that is off draws nothing.
  const exact = await queueWith(undefined);
  await send(exact.simAws, exact.url, ...bodies);
  await drain(exact.simAws, exact.url);
  expect(String(simAws.log())).toBe(String(exact.simAws.log()));
});

describe("duplicates", () => {
  test("always: every message comes twice, once while the first receive still hides it, and has to be deleted twice", async () => {
    const { simAws, url } = await queueWith({ duplicates: 1 });
    const [id] = await send(simAws, url, "m");
    const first = await receiveOne(simAws, url, { MessageSystemAttributeNames: ["All"] });
    expect(simAws.sqs().messages(url)).toMatchObject([{ MessageId: id, state: "inFlight" }, { MessageId: id, state: "visible" }]);
    const second = await receiveOne(simAws, url, { MessageSystemAttributeNames: ["All"] });
    expect([first, second]).toMatchObject([
      { MessageId: id, Body: "m", Attributes: { ApproximateReceiveCount: "1" } },
      { MessageId: id, Body: "m", Attributes: { ApproximateReceiveCount: "2", SentTimestamp: first.Attributes!.SentTimestamp } },
    ]);
    expect(await counts(simAws, url)).toEqual([0, 2, 0]);
    await simAws.sqs().deleteMessage(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: first.ReceiptHandle }));
    expect(await counts(simAws, url)).toEqual([0, 1, 0]);
    // Neither is copied again when it is received again.
    await simAws.clock().advanceBy({ seconds: 30 });
    expect(await receive(simAws, url)).toMatchObject([{ MessageId: id }]);
    await simAws.clock().advanceBy({ seconds: 30 });
    expect(await drain(simAws, url)).toEqual(["m"]);
    expect(String(simAws.log().filter({ message: id! }))).toContain(`Message ${id} of q will be delivered once more, as this world's delivery duplicates messages.`);
  });

  test("a copy has all its chances before it is dead-lettered, where one receive is the only one, too", async () => {
    const { simAws, url: dlq } = await queueWith({ duplicates: 1 });
    const url = await createQueue(simAws, "work", { ...redrivePolicy("q", 1), VisibilityTimeout: "5" });
    await send(simAws, url, "m");
    const first = await receiveOne(simAws, url);
    await simAws.sqs().deleteMessage(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: first.ReceiptHandle }));
    expect(await receiveOne(simAws, url)).toMatchObject({ MessageId: first.MessageId });
    await simAws.clock().advanceBy({ milliseconds: 4_999 });
    expect([await counts(simAws, url), await counts(simAws, dlq)]).toEqual([[0, 1, 0], [0, 0, 0]]);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect([await counts(simAws, url), await counts(simAws, dlq)]).toEqual([[0, 0, 0], [1, 0, 0]]);
    // Nor is it copied again there.
    expect(await drain(simAws, dlq)).toEqual(["m"]);
  });

  test("a deleted message can come again, and ends a long poll", async () => {
    const { simAws, url } = await queueWith({ duplicates: 1 });
    await send(simAws, url, "m");
    const waiting = Promise.all([receive(simAws, url), receive(simAws, url, { WaitTimeSeconds: 20 })]);
    expect(await waiting).toMatchObject([[{ Body: "m" }], [{ Body: "m" }]]);
    const other = await queueWith({ duplicates: 1 });
    await send(other.simAws, other.url, ...bodies);
    expect((await drain(other.simAws, other.url)).sort()).toEqual([...bodies, ...bodies].sort());
  });

  test("sometimes: some messages come twice, and none more often or not at all", async () => {
    const { simAws, url } = await queueWith({ duplicates: 0.3 });
    await send(simAws, url, ...bodies);
    const received = await drain(simAws, url);
    expect(new Set(received)).toEqual(new Set(bodies));
    const times = bodies.map((body) => received.filter((other) => other === body).length);
    expect(new Set(times)).toEqual(new Set([1, 2]));
    expect(simAws.log().filter({ kind: "sqs.message.duplicated" }).records).toHaveLength(received.length - bodies.length);
  });

  test("a function that is mapped to the queue gets them, in invocations of their own", async () => {
    const simAws = new SimAws({ delivery: { duplicates: 1, emptyReceives: 1 }, iam: "off" });
    const url = await createQueue(simAws, "q");
    const seen: string[] = [];
    const Code = { ZipFile: makeLambdaZipFileInput(({ Records }: SimLambdaSqsEvent) => void seen.push(...Records.map(({ messageId }) => messageId))) };
    await simAws.lambda().createFunction(new CreateFunctionCommand({ FunctionName: "fn", Runtime: "nodejs22.x", Handler: "index.handler", Role: "arn:aws:iam::888888888888:role/r", Code }));
    await simAws.lambda().createEventSourceMapping(new CreateEventSourceMappingCommand({ FunctionName: "fn", EventSourceArn: arnOf("q"), BatchSize: 1 }));
    await simAws.backgroundTasksComplete();
    const ids = await send(simAws, url, "a", "b", "c");
    await simAws.backgroundTasksComplete();
    expect(seen.sort()).toEqual([...ids, ...ids].sort());
    expect(await counts(simAws, url)).toEqual([0, 0, 0]);
  });
});

describe("reorder", () => {
  test("hands out later messages before older ones, and loses none", async () => {
    const { simAws, url } = await queueWith({ reorder: 0.3 });
    await send(simAws, url, ...bodies);
    const received = await drain(simAws, url);
    expect(received).not.toEqual(bodies);
    expect([...received].sort()).toEqual([...bodies].sort());
    expect(await counts(simAws, url)).toEqual([0, 0, 0]);
  });

  test("always: the oldest comes first only when it is alone", async () => {
    const { simAws, url } = await queueWith({ reorder: 1 });
    await send(simAws, url, "old", "new");
    expect(await receiveOne(simAws, url)).toMatchObject({ Body: "new" });
    expect(await receiveOne(simAws, url)).toMatchObject({ Body: "old" });
  });

  test("does not keep messages from their dead-letter queue", async () => {
    const { simAws } = await queueWith({ reorder: 1 });
    const dlq = await createQueue(simAws, "dlq");
    const url = await createQueue(simAws, "source", redrivePolicy("dlq", 1));
    await send(simAws, url, ...bodies);
    for (let received = 1; received > 0; ) received = (await receive(simAws, url, { VisibilityTimeout: 0 })).length;
    expect(simAws.sqs().messages(dlq)).toHaveLength(bodies.length);
  });
});

describe("emptyReceives", () => {
  test("always: short polls find nothing, long polls all there is", async () => {
    const { simAws, url } = await queueWith({ emptyReceives: 1 });
    const [id] = await send(simAws, url, "m");
    expect(await receive(simAws, url)).toEqual([]);
    expect(await receive(simAws, url)).toEqual([]);
    expect(await attributesOf(simAws, url)).toMatchObject({ ApproximateNumberOfMessages: "1" });
    expect(simAws.log().filter({ queue: "q", kind: "sqs.receive.missed" }).records).toHaveLength(2);
    expect(String(simAws.log())).toContain("A short poll of q by arn:aws:iam::888888888888:root missed the messages there, as this world's delivery has empty receives.");
    expect(await receive(simAws, url, { WaitTimeSeconds: 1 })).toMatchObject([{ MessageId: id }]);
    // There is nothing to miss in an empty queue.
    await receive(simAws, url);
    expect(simAws.log().filter({ kind: "sqs.receive.missed" }).records).toHaveLength(2);
  });

  test("sometimes: whoever asks again gets everything", async () => {
    const { simAws, url } = await queueWith({ emptyReceives: 0.3 });
    await send(simAws, url, ...bodies);
    const received: string[] = [];
    while (simAws.sqs().messages(url).length > 0) received.push(...(await drain(simAws, url)));
    expect(received).toEqual(bodies);
    expect(simAws.log().filter({ kind: "sqs.receive.missed" }).records.length).toBeGreaterThan(0);
  });
});

test("a run is repeated by its seed, and another seed makes another", async () => {
  const run = async (seed: string | number): Promise<{ received: string[]; log: string }> => {
    const { simAws, url } = await queueWith({ duplicates: 0.2, reorder: 0.2, emptyReceives: 0.2 }, seed);
    await send(simAws, url, ...bodies);
    return { received: await drain(simAws, url), log: String(simAws.log()) };
  };
  const first = await run("a");
  expect(await run("a")).toEqual(first);
  expect((await run("b")).received).not.toEqual(first.received);
});

test("FIFO queues are exact whatever it says", async () => {
  const simAws = new SimAws({ delivery: { duplicates: 1, reorder: 1, emptyReceives: 1 } });
  const url = await createQueue(simAws, "q.fifo", { FifoQueue: "true", ContentBasedDeduplication: "true" });
  for (const MessageBody of bodies) await simAws.sqs().sendMessage({ input: { QueueUrl: url, MessageBody, MessageGroupId: "g" } });
  expect(await drain(simAws, url)).toEqual(bodies);
});

test("whatever chance does, each message is received at least once and at most twice, and the counters are true", async () => {
  const probability = fc.constantFrom(0, 0.2, 0.5, 1);
  await fc.assert(
    fc.asyncProperty(fc.integer(), probability, probability, fc.constantFrom(0, 0.2, 0.5), fc.integer({ min: 1, max: 25 }), async (seed, duplicates, reorder, emptyReceives, count) => {
      const { simAws, url } = await queueWith({ duplicates, reorder, emptyReceives }, seed);
      const sent = bodies.slice(0, count);
      await send(simAws, url, ...sent);
      const times = new Map<string, number>();
      while (simAws.sqs().messages(url).length > 0) {
        for (const { Body, ReceiptHandle } of await receive(simAws, url, { MaxNumberOfMessages: 4 })) {
          times.set(Body!, (times.get(Body!) ?? 0) + 1);
          await simAws.sqs().deleteMessage(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
        }
        const states = simAws.sqs().messages(url).map(({ state }) => state);
        expect(await counts(simAws, url)).toEqual(["visible", "inFlight", "delayed"].map((state) => states.filter((each) => each === state).length));
      }
      expect([...times.keys()].sort()).toEqual([...sent].sort());
      expect(Math.max(...times.values())).toBeLessThanOrEqual(2);
      if (duplicates === 1) expect(Math.min(...times.values())).toBe(2);
    }),
    { numRuns: 60 },
  );
});

test("looseness outlives a reset", async () => {
  const { simAws } = await queueWith({ emptyReceives: 1 });
  simAws.reset();
  const url = await createQueue(simAws, "q");
  await send(simAws, url, "m");
  expect(await receive(simAws, url)).toEqual([]);
});

test.each([
  { delivery: { duplicates: 1.1 }, message: "delivery.duplicates is a probability from 0 to 1; it was given as 1.1." },
  { delivery: { reorder: -0.1 }, message: "delivery.reorder is a probability from 0 to 1; it was given as -0.1." },
  { delivery: { emptyReceives: Number.NaN }, message: "delivery.emptyReceives is a probability from 0 to 1; it was given as NaN." },
  { delivery: { duplicates: true }, message: "delivery.duplicates is a probability from 0 to 1; it was given as true." },
  { delivery: { duplicate: 1 }, message: "There is no delivery option duplicate. There are: duplicates, reorder, emptyReceives." },
])("no world is made with $delivery", ({ delivery, message }) => {
  const making = (): SimAws => new SimAws({ delivery: delivery as DeliveryOptions });
  expect(making).toThrow(message);
  expect(making).toThrow(expect.objectContaining({ name: "SimInvalidOption" }));
});
