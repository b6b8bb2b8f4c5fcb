import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Bus, BusSubscription } from "../../ports/bus.ts";
import type { Queries } from "../../ports/database.ts";
import type { UpstreamClient } from "../../ports/model-upstream.ts";
import type { Secrets } from "../../ports/secrets.ts";
import type { Alias, Aliases } from "../catalog/aliases.ts";
import { type Catalog, createCatalog } from "../catalog/catalog.ts";
import type { Strategy } from "../catalog/order-routes.ts";
import { createUpstream, type Upstream, type UpstreamAddress } from "../upstreams/upstream.ts";
import { upstreamKeyPurpose } from "./change-routing.ts";
import { type RoutingSeed, readRouting, readVersion, type StoredRouting, type UpstreamRow } from "./read-routing.ts";

/** Who serves what at the moment. Requests that are under way keep what they began with. */
export interface Table {
  readonly upstreams: readonly Upstream[];
  readonly catalog: Catalog;
  readonly aliases: Aliases;
  readonly strategy: Strategy;
}

export interface LiveRouting {
  readonly table: Table;
  /** Takes in what was changed here, and tells the other servers. */
  changed(): Promise<void>;
  close(): Promise<void>;
}

export interface RoutingNeeds {
  queries: Queries;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  seed: RoutingSeed;
  silenceMs: number;
  openClient(options: { origin: string; silenceMs: number }): Promise<UpstreamClient>;
  cluster: { bus: Bus; name: string } | undefined;
  /** Other processes may write to the database. */
  isShared: boolean;
}

/** A word over the bus may be lost, and a command line that shares no folder with any server sends none. */
const lookAgainMs = 5_000;

/** Keeps the routing as the settings and the database have it. */
export async function openLiveRouting(needs: RoutingNeeds): Promise<LiveRouting> {
  const { queries, log, cluster } = needs;
  const clients = new Map<string, Promise<UpstreamClient>>();
  let version = -1;
  let table: Table = {
    upstreams: [],
    catalog: createCatalog([], needs.clock, log),
    aliases: new Map(),
    strategy: "order",
  };
  let loading: Promise<void> = Promise.resolve();

  /** One after another, so that what was read last counts. */
  function load(): Promise<void> {
    const next = loading
      .catch(() => {})
      .then(async () => {
        const stored = await readRouting(queries);
        if (stored.version === version) return;
        table = await buildTable(needs, stored, table, clientFor);
        version = stored.version;
      });
    loading = next;
    return next;
  }

  /** Pools are kept until the end: a request may still hold one, and one that nobody uses has no connections. */
  function clientFor(origin: string, silenceMs: number): Promise<UpstreamClient> {
    const name = `${origin} ${silenceMs}`;
    let client = clients.get(name);
    if (!client) {
      client = needs.openClient({ origin, silenceMs });
      clients.set(name, client);
    }
    return client;
  }

  async function loadQuietly(): Promise<void> {
    await load().catch((error) => log.warn({ error: String(error) }, "the routing cannot be read; the last one holds"));
  }

  await load();
  const subject = cluster && `${cluster.name}.gateway.routing`;
  const subscription: BusSubscription | undefined = cluster?.bus.subscribe(subject!, () => void loadQuietly());
  const timer = setInterval(() => {
    readVersion(queries).then(
      (latest) => (latest === version ? undefined : loadQuietly()),
      () => {},
    );
  }, lookAgainMs);
  timer.unref();
  if (!needs.isShared) clearInterval(timer);

  return {
    get table() {
      return table;
    },
    async changed() {
      // It is written: a failure to read it back must not say that it is not.
      await loadQuietly();
      cluster?.bus.publish(subject!, new Uint8Array());
    },
    async close() {
      clearInterval(timer);
      subscription?.stop();
      await loading.catch(() => {});
      for (const client of clients.values()) await (await client).close();
    },
  };
}

type ClientFor = (origin: string, silenceMs: number) => Promise<UpstreamClient>;

async function buildTable(
  needs: RoutingNeeds,
  stored: StoredRouting,
  former: Table,
  clientFor: ClientFor,
): Promise<Table> {
  const { clock, log, seed } = needs;
  const addresses = addressesOf(needs, stored);
  const upstreams = await Promise.all(
    addresses.map(async ({ silenceMs, ...address }) => {
      const client = await clientFor(new URL(address.url).origin, silenceMs ?? needs.silenceMs);
      const { name, credential = "" } = address;
      const before = former.upstreams.find((one) => one.name === name && one.credential === credential);
      return createUpstream(address, client, clock, before);
    }),
  );
  const aliases = new Map<string, Alias>();
  for (const alias of [...seed.aliases, ...stored.aliases]) aliases.set(alias.name, alias);
  const { strategy } = stored;
  return { upstreams, catalog: createCatalog(upstreams, clock, log, former.catalog.lists), aliases, strategy };
}

type Address = UpstreamAddress & { silenceMs?: number | null };

/** One for each key of each upstream. A row stands in for the upstream of the settings that has its name. */
function addressesOf(needs: RoutingNeeds, { upstreams, keys }: StoredRouting): Address[] {
  const { seed, secrets, log } = needs;
  const seeded = seed.addresses
    .filter(({ title }) => !upstreams.some(({ name }) => name === title))
    .map((address) => ({ position: 0, address: address as Address }));
  const stored = upstreams
    .filter(({ isEnabled }) => isEnabled)
    .map((row) => ({ position: row.position, address: addressOf(row) }));
  const all = [...seeded, ...stored].sort((one, other) => one.position - other.position);
  return all.flatMap(({ address }) => {
    const own = keys.flatMap(({ id, upstream, sealed, requestsPerMinute }) => {
      if (upstream !== address.title) return [];
      const key = secrets.open(upstreamKeyPurpose, sealed);
      if (key !== undefined)
        return [{ ...address, key, credential: id, requestsPerMinute: requestsPerMinute ?? undefined }];
      log.error({ upstream, key: id }, "a key of an upstream was sealed by another installation: add it again");
      return [];
    });
    return address.key !== undefined || own.length === 0 ? [address, ...own] : own;
  });
}

function addressOf(row: UpstreamRow): Address {
  const { name, kind, provider, url, prefix, models, allowed, prices, weight, firstByteMs, firstTokenMs, silenceMs } =
    row;
  return {
    name,
    title: name,
    kind,
    url,
    provider: provider ?? undefined,
    prefix: prefix ?? undefined,
    models,
    allowed: allowed ?? undefined,
    prices,
    weight,
    firstByteMs: firstByteMs ?? undefined,
    firstTokenMs: firstTokenMs ?? undefined,
    silenceMs,
  };
}
