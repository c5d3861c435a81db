import { withPeriod, type Describe, type LogEvent, type LogEventKind, type LogRecord } from "@sandstack/core";

declare module "@sandstack/core" {
  interface LogEvents {
    /** A stack's status has changed: `CREATE_IN_PROGRESS`, `ROLLBACK_COMPLETE` and so on. */
    "cloudformation.stack.changed": { stackName: string; stackId: string; status: string; reason?: string | undefined };
    /** A resource's status has changed. */
    "cloudformation.resource.changed": { stackName: string; logicalId: string; resourceType: string; physicalId: string; status: string; reason?: string | undefined };
  }
}

/** How the records of this service read. */
export const describeCloudFormation: { readonly [Kind in LogEventKind]?: Describe } = {
  ...on("cloudformation.stack.changed", ({ stackName, status, reason }) => `The stack ${stackName} is ${status}${because(reason)}`),
  ...on("cloudformation.resource.changed", ({ stackName, logicalId, resourceType, physicalId, status, reason }) => {
    const resource = physicalId === "" ? resourceType : `${resourceType}, ${physicalId}`;
    return `In the stack ${stackName}, ${logicalId} (${resource}) is ${status}${because(reason)}`;
  }),
};

function on<Kind extends LogEventKind>(kind: Kind, describe: (event: LogEvent<Kind>) => string): { [K in Kind]: Describe } {
  // The log calls a kind's description with records of that kind alone.
  return { [kind]: (record: LogRecord) => describe(record as unknown as LogEvent<Kind>) } as { [K in Kind]: Describe };
}

function because(reason: string | undefined): string {
  return reason === undefined ? "." : withPeriod(`: ${reason}`);
}
