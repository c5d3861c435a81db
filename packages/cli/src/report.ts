import type { IgnoredProperty, SimStack } from "sandstack/cloudformation";

/** What came of one stack. */
export interface StackReport {
  /** Absent when the stack was refused before there was one. */
  readonly stackName?: string;
  /** As CloudFormation has it. */
  readonly status?: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly skippedResources: readonly { readonly logicalId: string; readonly type: string; readonly reason: string | undefined }[];
  readonly ignoredProperties: readonly IgnoredProperty[];
  readonly failure?: FailureReport;
}

/** What went wrong. */
export interface FailureReport {
  /** The error's name, as AWS or the sandbox has it. */
  readonly name: string;
  readonly message: string;
  /** The resource that failed, where one did. */
  readonly logicalId?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly constructPath?: string | undefined;
}

export function reportOf(stack: SimStack, error?: Error): StackReport {
  const { stackName, status, outputs, skippedResources, ignoredProperties } = stack;
  return {
    stackName,
    status,
    outputs: { ...outputs },
    skippedResources: skippedResources.map(({ logicalId, type, skippedReason }) => ({ logicalId, type, reason: skippedReason })),
    ignoredProperties,
    ...(error === undefined ? {} : { failure: failureOf(error, stack) }),
  };
}

/** For what failed before there was a stack. */
export function refusalReport(error: Error): StackReport {
  return { outputs: {}, skippedResources: [], ignoredProperties: [], failure: failureOf(error) };
}

function failureOf({ name, message }: Error, stack?: SimStack): FailureReport {
  // The events are newest first. The stack's own say what follows from the first resource's failure.
  const failed = stack?.events.findLast(({ ResourceStatus = "", PhysicalResourceId }) => ResourceStatus.endsWith("_FAILED") && PhysicalResourceId !== stack.stackId);
  const { LogicalResourceId: logicalId, ResourceType: resourceType } = failed ?? {};
  const constructPath = logicalId === undefined ? undefined : stack?.getResource(logicalId).constructPath;
  return { name, message, logicalId, resourceType, constructPath };
}

/** The reports as text. */
export function renderReports(reports: readonly StackReport[]): string {
  return reports.map(renderReport).join("\n");
}

function renderReport({ stackName, status, outputs, skippedResources, ignoredProperties, failure }: StackReport): string {
  return [
    stackName === undefined ? "No stack was made" : `${stackName} is ${status}`,
    ...section("Failure", failure === undefined ? [] : [[failure.name, failure.message]]),
    ...section("Outputs", Object.entries(outputs)),
    ...section("Skipped resources", skippedResources.map(({ logicalId, type, reason = "" }) => [logicalId, type, reason])),
    ...section("Ignored properties", ignoredProperties.map(({ logicalId, resourceType, path, reason }) => [logicalId, resourceType, path, reason])),
    "",
  ].join("\n");
}

/** A heading with its rows in columns, or nothing where there are no rows. */
function section(heading: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return ["", heading, ...rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`.trimEnd())];
}
