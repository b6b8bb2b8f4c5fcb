import { asc } from "drizzle-orm";
import type { Queries } from "../../ports/database.ts";
import type { Alias } from "../catalog/aliases.ts";
import type { Strategy } from "../catalog/order-routes.ts";
import type { UpstreamAddress } from "../upstreams/upstream.ts";
import { gatewayAliases, gatewayRouting, gatewayUpstreamKeys, gatewayUpstreams } from "./tables.ts";

export type UpstreamRow = typeof gatewayUpstreams.$inferSelect;
export type UpstreamKeyRow = typeof gatewayUpstreamKeys.$inferSelect;

/** What the settings say, which rows of the same names stand in for. */
export interface RoutingSeed {
  readonly addresses: readonly UpstreamAddress[];
  readonly aliases: readonly Alias[];
}

export interface StoredRouting {
  readonly version: number;
  readonly strategy: Strategy;
  readonly upstreams: readonly UpstreamRow[];
  readonly keys: readonly UpstreamKeyRow[];
  readonly aliases: readonly Alias[];
}

/** Grows with every change; 0 where nothing was ever changed. */
export async function readVersion(queries: Queries): Promise<number> {
  const [row] = await queries.select().from(gatewayRouting);
  return row?.version ?? 0;
}

/** As it was at one moment. */
export function readRouting(queries: Queries): Promise<StoredRouting> {
  return queries.transaction(
    async (transaction) => {
      const [row] = await transaction.select().from(gatewayRouting);
      const { position, createdAt, name } = gatewayUpstreams;
      return {
        version: row?.version ?? 0,
        strategy: row?.strategy ?? "order",
        upstreams: await transaction.select().from(gatewayUpstreams).orderBy(asc(position), asc(createdAt), asc(name)),
        keys: await transaction
          .select()
          .from(gatewayUpstreamKeys)
          .orderBy(asc(gatewayUpstreamKeys.createdAt), asc(gatewayUpstreamKeys.id)),
        aliases: await transaction.select().from(gatewayAliases).orderBy(asc(gatewayAliases.name)),
      };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/** For people: everything but the keys themselves. */
export async function describeRouting(queries: Queries, seed: RoutingSeed) {
  const { strategy, upstreams, keys, aliases } = await readRouting(queries);
  const keysOf = (name: string) =>
    keys.filter(({ upstream }) => upstream === name).map(({ sealed: _, upstream: __, ...key }) => key);
  const stored = upstreams.map(({ createdAt: _, ...row }) => ({
    from: "database" as const,
    ...row,
    keys: keysOf(row.name),
  }));
  const seeded = seed.addresses
    .filter(({ title }) => !upstreams.some(({ name }) => name === title))
    .map((address) => ({ from: "settings" as const, ...describeAddress(address), keys: keysOf(address.title) }));
  const aliasesHere = new Map<string, Alias & { from: "settings" | "database" }>();
  for (const alias of seed.aliases) aliasesHere.set(alias.name, { from: "settings", ...alias });
  for (const { name, strategy, models } of aliases)
    aliasesHere.set(name, { from: "database", name, strategy, models: [...models] });
  return {
    strategy,
    upstreams: [...seeded, ...stored].sort((one, other) => one.position - other.position),
    aliases: [...aliasesHere.values()],
  };
}

function describeAddress({ title, kind, url, models = [] }: UpstreamAddress) {
  return {
    name: title,
    kind,
    url: withoutSecrets(url),
    provider: null,
    prefix: null,
    models: [...models],
    allowed: null,
    prices: {},
    weight: 1,
    position: 0,
    firstByteMs: null,
    firstTokenMs: null,
    silenceMs: null,
    isEnabled: true,
  };
}

function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
