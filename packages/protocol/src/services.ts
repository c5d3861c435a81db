import type { ServiceDefinition, ServiceWire, World } from "@sandstack/core";

/** A service as the wire sees it. */
export interface WireService extends ServiceWire {
  /** The SDK's name for it, which is also its name in credential scopes. */
  readonly id: string;
  /** True where JSON errors also carry the Query protocol's code (the trait `aws.protocols#awsQueryCompatible`): it came from Query, and still speaks it. */
  readonly isQueryCompatible: boolean;
}

/** The services of a world that clients can speak to, by all that a request may call them. */
export interface WireServices {
  readonly byId: ReadonlyMap<string, WireService>;
  readonly byTarget: ReadonlyMap<string, WireService>;
  readonly byQueryVersion: ReadonlyMap<string, WireService>;
  /** Those of Query, in the order in which an action without a version is looked for. */
  readonly query: readonly WireService[];
  /** Those of REST: told apart by method and path alone. */
  readonly rest: readonly WireService[];
}

const byWorld = new WeakMap<World["services"], WireServices>();

export function wireServicesOf({ services }: Pick<World, "services">): WireServices {
  let found = byWorld.get(services);
  if (found === undefined) {
    found = indexed([...services.values()].flatMap(({ definition }) => wireServiceOf(definition) ?? []));
    byWorld.set(services, found);
  }
  return found;
}

function indexed(all: readonly WireService[]): WireServices {
  return {
    byId: indexedBy(all, ({ id }) => id),
    byTarget: indexedBy(all, ({ target }) => target),
    byQueryVersion: indexedBy(all, ({ queryVersion }) => queryVersion),
    query: all.filter(({ protocols }) => protocols.includes("awsQuery")),
    rest: all.filter(isRest),
  };
}

function indexedBy(all: readonly WireService[], nameOf: (service: WireService) => string | undefined): ReadonlyMap<string, WireService> {
  return new Map(all.flatMap((service) => {
    const name = nameOf(service);
    return name === undefined ? [] : [[name, service] as const];
  }));
}

/** For messages: what is asked for, and what there is. */
export function lackOfService({ services }: Pick<World, "services">, name: string): string {
  return `The sandbox has not got the service ${name}. The services it has: ${[...services.keys()].sort().join(", ")}.`;
}

export function isRest({ protocols: [protocol] }: WireService): boolean {
  return protocol === "restJson1" || protocol === "restXml";
}

/** One for each definition, so that all worlds share the models that are read for it. */
const byDefinition = new WeakMap<ServiceDefinition, WireService>();

function wireServiceOf(definition: ServiceDefinition): WireService | undefined {
  const { id, wire } = definition;
  if (wire === undefined) return undefined;
  let service = byDefinition.get(definition);
  if (service === undefined) {
    const isQueryCompatible = wire.protocols.includes("awsQuery") && wire.protocols[0] !== "awsQuery";
    byDefinition.set(definition, (service = { ...wire, id, isQueryCompatible }));
  }
  return service;
}
