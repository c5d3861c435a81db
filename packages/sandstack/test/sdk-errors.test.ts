import { GetRoleCommand, IAMClient, NoSuchEntityException } from "@aws-sdk/client-iam";
import { SimAws } from "sandstack";
import { SimIamDeleteConflict, SimIamMalformedPolicyDocument, SimIamNoSuchEntity, SimIamNoSuchEntityException, SimStsMalformedPolicyDocument } from "sandstack/iam";

const missing = new GetRoleCommand({ RoleName: "none" });

test("an exception is recognised without the SDK's import, however it came", async () => {
  const simAws = new SimAws();
  for (const thrown of [simAws.iam().getRole(missing), new IAMClient(simAws.sdkConfig()).send(missing)]) {
    await expect(thrown).rejects.toThrow(SimIamNoSuchEntity);
    await expect(thrown).rejects.toBeInstanceOf(SimIamNoSuchEntity);
    await expect(thrown).rejects.toBeInstanceOf(NoSuchEntityException);
    await expect(thrown).rejects.not.toBeInstanceOf(SimIamDeleteConflict);
  }
  expect(SimIamNoSuchEntityException).toBe(SimIamNoSuchEntity);
  expect(SimIamNoSuchEntity.name).toBe("SimIamNoSuchEntity");
});

test("an exception can be made, for tests of one's own handling", () => {
  const error = new SimIamNoSuchEntity("The role with name x cannot be found.");
  expect(error).toBeInstanceOf(NoSuchEntityException);
  expect(error).toBeInstanceOf(SimIamNoSuchEntity);
  expect(error).toMatchObject({ name: "NoSuchEntityException", message: "The role with name x cannot be found.", $fault: "client", $metadata: { httpStatusCode: 404 } });
});

test("two services' exceptions of one name are told apart, and other errors are none", () => {
  const error = new SimIamMalformedPolicyDocument("Syntax errors in policy.");
  expect(error instanceof SimIamMalformedPolicyDocument).toBe(true);
  expect(error instanceof SimStsMalformedPolicyDocument).toBe(false);
  for (const other of [undefined, null, "text", {}, new Error("x"), Object.assign(new Error("x"), { name: "MalformedPolicyDocumentException" })]) {
    expect(other instanceof SimIamMalformedPolicyDocument).toBe(false);
  }
});
