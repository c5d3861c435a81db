import type { EventSourceMappingConfiguration, FunctionResponseType, UpdateEventSourceMappingCommandInput } from "@aws-sdk/client-lambda";
import { resourceType, type ResourceResult } from "@sandstack/core";
import { booleanOf, numberOf, tagsOf, type TagList } from "./properties.js";

interface MappingProperties {
  readonly EventSourceArn: string;
  readonly FunctionName: string;
  readonly Enabled?: boolean | string;
  readonly BatchSize?: number | string;
  readonly MaximumBatchingWindowInSeconds?: number | string;
  readonly FilterCriteria?: { readonly Filters?: readonly { readonly Pattern?: unknown }[] };
  readonly FunctionResponseTypes?: FunctionResponseType[];
  readonly ScalingConfig?: { readonly MaximumConcurrency?: number | string };
  readonly Tags?: TagList;
}

/** AWS::Lambda::EventSourceMapping: `Ref` gives the UUID, `Fn::GetAtt` `Id` and `EventSourceMappingArn`. */
export const eventSourceMappingResource = resourceType<MappingProperties>({
  type: "AWS::Lambda::EventSourceMapping",
  actsOn: ["EventSourceArn", "FunctionName", "Enabled", "BatchSize", "MaximumBatchingWindowInSeconds", "FilterCriteria", "FunctionResponseTypes", "ScalingConfig", "Tags"],
  ignoredBecause: {
    KmsKeyArn: "Filters are not encrypted.",
    MetricsConfig: "There are no metrics.",
    ProvisionedPollerConfig: "A queue is polled when a message becomes visible, by as many pollers as it takes.",
  },
  async create(ctx, wanted) {
    const created = await ctx.call("lambda", "CreateEventSourceMapping", { ...settingsOf(wanted), FunctionName: wanted.FunctionName, EventSourceArn: wanted.EventSourceArn, Tags: tagsOf(ctx, wanted.Tags) });
    return resultOf(created);
  },
  async update(ctx, wanted, current) {
    const updated = await ctx.call("lambda", "UpdateEventSourceMapping", {
      // What the template no longer names goes back to its default.
      Enabled: true,
      BatchSize: 10,
      MaximumBatchingWindowInSeconds: 0,
      FilterCriteria: { Filters: [] },
      FunctionResponseTypes: [],
      ScalingConfig: {},
      ...settingsOf(wanted),
      FunctionName: wanted.FunctionName,
      UUID: current.physicalId,
    });
    return resultOf(updated);
  },
  async delete(ctx, current) {
    await ctx.call("lambda", "DeleteEventSourceMapping", { UUID: current.physicalId }, { ignore: ["ResourceNotFoundException"] });
  },
});

/** Only what the template names. */
function settingsOf(wanted: MappingProperties): Partial<UpdateEventSourceMappingCommandInput> {
  const settings = {
    Enabled: booleanOf(wanted.Enabled),
    BatchSize: numberOf(wanted.BatchSize),
    MaximumBatchingWindowInSeconds: numberOf(wanted.MaximumBatchingWindowInSeconds),
    FilterCriteria: wanted.FilterCriteria && { Filters: (wanted.FilterCriteria.Filters ?? []).map(({ Pattern }) => ({ Pattern: typeof Pattern === "string" ? Pattern : JSON.stringify(Pattern) })) },
    FunctionResponseTypes: wanted.FunctionResponseTypes,
    ScalingConfig: wanted.ScalingConfig && { MaximumConcurrency: numberOf(wanted.ScalingConfig.MaximumConcurrency) },
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function resultOf(mapping: EventSourceMappingConfiguration | undefined): ResourceResult {
  const uuid = mapping?.UUID ?? "";
  return { physicalId: uuid, attributes: { Id: uuid, EventSourceMappingArn: mapping?.EventSourceMappingArn } };
}
