import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { CreateQueueCommand, SQSClient } from "@aws-sdk/client-sqs";
import { serveCommand } from "../src/serve-command.js";

/** What a command wrote. */
function recorder() {
  const written = { out: "", err: "" };
  return { written, io: { out: (text: string) => void (written.out += text), err: (text: string) => void (written.err += text) } };
}

test("serves until it is told to end, and prints what a client's environment needs", async () => {
  const { io, written } = recorder();
  let answered: string | undefined;
  const exitCode = await serveCommand(["--port", "0", "--account", "111111111111", "--region", "eu-west-1", "--clock", "manual"], io, async () => {
    const variables = Object.fromEntries([...written.out.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
    expect(variables).toEqual({
      AWS_ENDPOINT_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
      AWS_REGION: "eu-west-1",
      AWS_DEFAULT_REGION: "eu-west-1",
    });
    const client = new SQSClient({ endpoint: variables["AWS_ENDPOINT_URL"], region: "eu-west-1", credentials: { accessKeyId: "test", secretAccessKey: "test" } });
    answered = (await client.send(new CreateQueueCommand({ QueueName: "orders" }))).QueueUrl;
    client.destroy();
  });
  expect(exitCode).toBe(0);
  expect(answered).toMatch(/\/111111111111\/orders$/);
  expect(written).toMatchObject({ out: expect.stringContaining("account 111111111111, region eu-west-1, clock manual, auth off"), err: "" });
});

test("with signatures checked, prints keys that pass", async () => {
  const { io, written } = recorder();
  const exitCode = await serveCommand(["--port=0", "--auth=strict"], io, async () => {
    const [, endpoint, accessKeyId = "", secretAccessKey = ""] = /AWS_ENDPOINT_URL=(.*)\n.*ID=(.*)\n.*KEY=(.*)\n/.exec(written.out) ?? [];
    const client = new SQSClient({ endpoint, region: "us-east-1", credentials: { accessKeyId, secretAccessKey } });
    await client.send(new CreateQueueCommand({ QueueName: "orders" }));
    client.destroy();
  });
  expect(exitCode).toBe(0);
});

test.each([
  { argv: ["--port", "http"], message: '--port takes a number from 0 to 65535, not "http".' },
  { argv: ["--port", "65536"], message: '--port takes a number from 0 to 65535, not "65536".' },
  { argv: ["--account", "42"], message: '--account takes twelve digits, not "42".' },
  { argv: ["--region", "moon"], message: `--region takes a region's name such as eu-west-1, not "moon".` },
  { argv: ["--auth", "maybe"], message: '--auth takes off or strict, not "maybe".' },
  { argv: ["--iam", "on"], message: '--iam takes enforce or off, not "on".' },
  { argv: ["--clock", "fast"], message: '--clock takes live or manual, not "fast".' },
  { argv: ["--host", ""], message: "--host takes an address or a name." },
  { argv: ["--colour"], message: "Unknown option '--colour'" },
  { argv: ["now"], message: "Unexpected argument 'now'" },
])("wrong options end with 2 and say what is right: $argv", async ({ argv, message }) => {
  const { io, written } = recorder();
  const never = (): never => {
    throw new Error("it served");
  };
  expect(await serveCommand(argv, io, never)).toBe(2);
  expect(written.err).toContain(message);
  expect(written.err).toContain("Usage: sandstack serve [options]");
  expect(written.out).toBe("");
});

test("tells its options", async () => {
  const { io, written } = recorder();
  expect(await serveCommand(["--help"], io, async () => {})).toBe(0);
  expect(written.out).toContain("--auth off|strict");
});

test("a port that is taken is said to be", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const { io, written } = recorder();
  expect(await serveCommand(["--port", String(port)], io, async () => {})).toBe(1);
  expect(written.err).toBe(`The port ${port} of 127.0.0.1 is taken. Choose another with --port, or 0 for any that is free.\n`);
  other.close();
});
