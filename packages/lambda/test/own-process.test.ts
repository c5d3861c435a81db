import { execFileSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(__dirname, "../../..");

test("a rejection that code leaves to nobody ends its invocation and environment, not the process; an awaited invocation keeps it alive", () => {
  const output = execFileSync(process.execPath, ["scripts/run.mjs", join(__dirname, "fixtures/own-process.ts")], { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  expect(JSON.parse(output)).toEqual([
    1,
    {
      errorType: "Runtime.UnhandledPromiseRejection",
      errorMessage: "TypeError: floating",
      reason: { errorType: "TypeError", errorMessage: "floating", trace: expect.arrayContaining(["TypeError: floating"]) },
      promise: {},
      trace: expect.arrayContaining(["Runtime.UnhandledPromiseRejection: TypeError: floating"]),
    },
    1,
    expect.objectContaining({ errorType: "Runtime.UnhandledPromiseRejection", errorMessage: "QueueDoesNotExist: The specified queue does not exist." }),
    "slept",
  ]);
});
