import { SimAws } from "sandstack";

test.each(["sns", "s3"] as const)("simAws.%s() says that the sandbox has not got it, and what it has", (service) => {
  const simAws = new SimAws();
  for (const scope of [simAws, simAws.account("111111111111").region("eu-west-1")]) {
    expect(() => scope[service]()).toThrow(
      expect.objectContaining({ name: "SimUnsupported", message: expect.stringMatching(new RegExp(`^The sandbox has not got the service ${service}\\. The services it has: cloudformation, iam, lambda, sqs, sts\\. Send to the queue or invoke the function that `)) }),
    );
  }
});

test("a program that uses them does not compile", () => {
  const use = (simAws: SimAws): unknown =>
    // @ts-expect-error there is no such service to ask
    simAws.sns().publish({ input: { TopicArn: "arn:aws:sns:us-east-1:888888888888:orders", Message: "one" } });
  expect(() => use(new SimAws())).toThrow("The sandbox has not got the service sns.");
});
