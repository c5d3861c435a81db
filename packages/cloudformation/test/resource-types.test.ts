import { invoke, World, type ResourceType, type ServiceContext } from "@sandstack/core";
import { iamService, stsService } from "@sandstack/iam";
import { lambdaService } from "@sandstack/lambda";
import { sqsService } from "@sandstack/sqs";
import { SimCloudFormation, type SimStack } from "../src/index.js";
import { resourceContext } from "../src/engine/resource-context.js";
import { compareProperties } from "../src/spec/properties.js";
import { typeSpecOf } from "../src/spec/spec.js";
import { cloudFormationService } from "../src/service.js";
import type { CloudFormationState, Stack, StackResource } from "../src/state.js";
import { rejection } from "./setup.js";
import { samples, type ResourceTypeSample, type SampleChange } from "./resource-type-samples.js";

const services = [sqsService, iamService, stsService, lambdaService, cloudFormationService];
const scope = { accountId: "888888888888", region: "us-east-1" };
const resourceTypes = services.flatMap(({ resourceTypes = [] }) => resourceTypes);

/** What fails a stack behind everything else in it. */
const broken = (dependsOn: string): object => ({ Type: "AWS::SQS::Queue", DependsOn: dependsOn, Properties: { DelaySeconds: 901 } });

function makeWorld(): { world: World; cloudFormation: SimCloudFormation } {
  const world = new World({ services, seed: "types", clock: "manual", startTimeMs: Date.UTC(2024, 0, 1), iam: "enforce" });
  return { world, cloudFormation: new SimCloudFormation(world, scope, { codeOf: () => new Uint8Array() }) };
}

function templateOf(type: string, { others, properties }: ResourceTypeSample, change: SampleChange = {}, more: object = {}): object {
  return { Resources: { ...others, It: { Type: type, Properties: { ...properties, ...change } }, ...more } };
}

async function deploy(cloudFormation: SimCloudFormation, template: object): Promise<SimStack> {
  const stack = await cloudFormation.deployTemplate({ stackName: "types", template });
  return stack.waitForDeployComplete();
}

/** The resource as the stack keeps it. */
function kept(world: World, logicalId = "It"): { stack: Stack; resource: StackResource } {
  const { stacks } = world.stateOf(cloudFormationService, scope) as CloudFormationState; // the service's own state
  const [stack] = stacks.values();
  const resource = stack?.resources.get(logicalId);
  if (stack === undefined || resource === undefined) throw new Error(`the stack has ${logicalId}`);
  return { stack, resource };
}

/** What can only be set when a resource is made with others of its kind, or not by these samples' functions and queues. */
const NOT_TRIED = ["FifoQueue", "ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit", "PackageType", "EventSourceToken", "PrincipalOrgID", "FunctionUrlAuthType", "CodeSha256"];

const types: [string, ResourceType][] = resourceTypes.map((resourceType) => [resourceType.type, resourceType]);

describe.each(types)("%s", (type, resourceType) => {
  const sample = samples[type];
  if (sample === undefined) throw new Error(`${type} has no sample: add one to resource-type-samples.ts.`);
  const spec = typeSpecOf(type);

  test("acts on properties of AWS's schema, and says nothing of others", () => {
    if (spec === undefined) return expect(type).toBe("AWS::CDK::Metadata");
    expect(spec.isDetailed).toBe(true);
    const named = [...resourceType.actsOn, ...Object.keys(resourceType.ignoredBecause ?? {})].map((path) => path.split(".")[0]);
    expect(named.filter((name) => name === undefined || !Object.hasOwn(spec.properties, name))).toEqual([]);
  });

  test("is made with the attributes of AWS's schema, and goes with its stack, also when it is gone already", async () => {
    const { world, cloudFormation } = makeWorld();
    const stack = await deploy(cloudFormation, templateOf(type, sample));
    const it = stack.getResource("It");
    expect(it).toMatchObject({ status: "CREATE_COMPLETE", deployed: true, ignoredProperties: [] });
    expect(it.physicalId).toMatch(/./);
    expect(Object.keys(it.attributes).filter((name) => spec?.attributes.includes(name) !== true)).toEqual([]);

    const { stack: state, resource } = kept(world);
    const ctx = { scope, random: world.state.random, call: async (...[service, operation, input, options]: Parameters<typeof invoke> extends [World, unknown, ...infer Rest] ? Rest : never) => invoke(world, scope, service, operation, input, options) };
    const context = resourceContext({ ctx: ctx as unknown as ServiceContext<CloudFormationState>, stack: state, logicalId: "It", caller: undefined, tags: {} }); // deleting needs no more of a context
    const current = { physicalId: resource.physicalId ?? "", attributes: resource.attributes, properties: resource.properties };
    await resourceType.delete(context, current);
    await resourceType.delete(context, current);
    await cloudFormation.deleteStack({ stackName: "types" });
    expect(stack.status).toBe("DELETE_COMPLETE");
  });

  test("is taken down when its stack cannot be made", async () => {
    const { cloudFormation } = makeWorld();
    const stack = await cloudFormation.deployTemplate({ stackName: "types", template: templateOf(type, sample, {}, { Broken: broken("It") }) });
    expect((await rejection(stack.waitForDeployComplete())).message).toContain("resource Broken");
    expect(stack.status).toBe("ROLLBACK_COMPLETE");
    expect(stack.getResource("It").status).toBe("DELETE_COMPLETE");
    await cloudFormation.deleteStack({ stackName: "types" });
    await deploy(cloudFormation, templateOf(type, sample));
  });

  if (sample.changes.length === 0) return;

  test.each(sample.changes.map((change) => [Object.keys(change).join(" and "), change] as const))("%s: changed as AWS changes it, taken back, and put back when the update fails", async (_name, change) => {
    const { world, cloudFormation } = makeWorld();
    const stack = await deploy(cloudFormation, templateOf(type, sample));
    const before = kept(world).resource;
    const update = async (template: object): Promise<void> => void (await (await cloudFormation.updateTemplate({ stackName: "types", template })).waitForDeployComplete());

    await rejection(update(templateOf(type, sample, change, { Broken: broken("It") })));
    expect(stack.status).toBe("UPDATE_ROLLBACK_COMPLETE");
    expect(kept(world).resource).toMatchObject({ physicalId: before.physicalId, properties: before.properties });
    // The name of a deleted queue is held for a minute.
    await world.background.advance(world.nowMs + 61_000);

    await update(templateOf(type, sample, change));
    const after = kept(world).resource;
    const isReplaced = resourceType.update === undefined || (spec !== undefined && compareProperties(spec, before.properties, after.properties).replacing.length > 0);
    expect(after.status).toBe("UPDATE_COMPLETE");
    // What is named by something else keeps its name; what has an id of its own gets another.
    if (isReplaced && type !== "AWS::SQS::QueueInlinePolicy") expect(after.physicalId).not.toBe(before.physicalId);
    if (!isReplaced) expect(after.physicalId).toBe(before.physicalId);

    await update(templateOf(type, sample));
    expect(stack.status).toBe("UPDATE_COMPLETE");
    expect(kept(world).resource.properties).toEqual(before.properties);
    await cloudFormation.deleteStack({ stackName: "types" });
    expect(stack.status).toBe("DELETE_COMPLETE");
  });

  test("every property it acts on is tried", () => {
    const tried = new Set([...sample.changes.flatMap(Object.keys), ...NOT_TRIED]);
    expect(resourceType.actsOn.map((path) => path.split(".")[0] ?? path).filter((name) => !tried.has(name))).toEqual([]);
  });
});
