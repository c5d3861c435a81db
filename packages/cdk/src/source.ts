import { simError } from "@sandstack/core";

/** A construct of the CDK, as far as the sandbox looks at it: an `App`, `Stage`, `Stack`, or a function in one. */
export interface CdkConstruct {
  readonly node: { readonly path: string; readonly root: unknown };
}

/** What `app.synth()` gives. */
export interface CdkAssembly {
  readonly directory: string;
}

/** What can be deployed: an app, a stage, a stack, a synthesized assembly, or the path of its folder (`cdk.out`). */
export type CdkSource = CdkConstruct | CdkAssembly | string;

/** An assembly on disk, and the part of it that is meant. */
export interface SynthesizedSource {
  readonly directory: string;
  /** The construct path of the stage or stack that is meant; absent for the whole. */
  readonly constructPath?: string;
}

// The CDK marks its objects, so that copies of its packages know each other's; so aws-cdk-lib itself is never loaded here.
const CONSTRUCT = Symbol.for("constructs.Construct");
const STAGE = Symbol.for("@aws-cdk/core.Stage");
const STACK = Symbol.for("@aws-cdk/core.Stack");

/**
 * Synthesizes the source, where that is not done yet.
 *
 * @throws what the CDK throws in synthesis; SimInvalidAssembly when the source is nothing that can be deployed
 */
export function synthesize(source: CdkSource): SynthesizedSource {
  if (typeof source === "string") return { directory: source };
  if (isConstruct(source)) return synthesizeConstruct(source);
  if (typeof source === "object" && source !== null && typeof source.directory === "string") return { directory: source.directory };
  throw notDeployable(`this is ${describe(source)}`);
}

function synthesizeConstruct(construct: CdkConstruct): SynthesizedSource {
  const { root, path } = construct.node;
  if (!isMarked(construct, STAGE) && !isMarked(construct, STACK)) throw notDeployable(`the construct ${path} is none of these`);
  if (!isMarked(root, STAGE)) throw notDeployable(`${path} is in no App`);
  // A part is synthesized with its whole: a stage's assets lie in the app's assembly.
  const { directory } = (root as { synth(): CdkAssembly }).synth(); // every stage can be synthesized
  return path === "" ? { directory } : { directory, constructPath: path };
}

export function isConstruct(value: unknown): value is CdkConstruct {
  return isMarked(value, CONSTRUCT);
}

/** Marks are looked up through the prototype: `Construct` has its own there, a `Stack` on itself. */
function isMarked(value: unknown, mark: symbol): boolean {
  return typeof value === "object" && value !== null && mark in value;
}

function notDeployable(what: string): Error {
  return simError("SimInvalidAssembly", `cdk().deploy takes an App, a Stage, a Stack, a cloud assembly (what app.synth() gives) or the path of one; ${what}.`);
}

function describe(value: unknown): string {
  return value === null || typeof value !== "object" ? String(value) : `an object with the members ${Object.keys(value).join(", ") || "(none)"}`;
}
