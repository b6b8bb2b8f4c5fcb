import { openBooks } from "../credits/books.ts";
import { createKeyBudgets, daily, monthly } from "../credits/key-budgets.ts";
import { createLeaseStore } from "../credits/lease-store.ts";
import { parseCost } from "../credits/money.ts";
import type { TokenLimit } from "../limits/token-limit.ts";
import type { Clock } from "../platform/clock.ts";
import type { Health } from "../platform/health.ts";
import type { Log } from "../platform/log.ts";
import type { Settings } from "../platform/settings/settings.ts";
import type { Bus } from "../ports/bus.ts";
import type { Queries } from "../ports/database.ts";
import type { LocalModels } from "../ports/local-models.ts";
import type { UpstreamClient } from "../ports/model-upstream.ts";
import type { Secrets } from "../ports/secrets.ts";
import { recordRequests } from "./charging/store.ts";
import { Measures } from "./measures/measures.ts";
import type { Gateway } from "./pipeline/gateway.ts";
import { createReplays } from "./pipeline/idempotency.ts";
import { createLookUps } from "./pipeline/look-up.ts";
import { createResponseCache } from "./pipeline/response-cache.ts";
import { shareReplays } from "./pipeline/share-replays.ts";
import { openLiveRouting } from "./routing/live-routing.ts";
import { readRoutingSeed } from "./routing/read-seed.ts";

export interface GatewayNeeds {
  settings: Settings;
  queries: Queries;
  clock: Clock;
  log: Log;
  health: Health;
  local: LocalModels;
  /** Opens the keys of upstreams. */
  secrets: Secrets;
  /** Other processes may write to the database. */
  isShared: boolean;
  /** The way to other servers on the same database, and the first word of its subjects; undefined where there are none. */
  cluster: { bus: Bus; name: string } | undefined;
  tokenLimit: TokenLimit;
  openClient(options: { origin: string; silenceMs: number }): Promise<UpstreamClient>;
}

export interface OpenGateway {
  gateway: Gateway;
  /** To be called after the routing was changed: takes it in, and tells the other servers. */
  routingChanged(): Promise<void>;
  close(): Promise<void>;
}

/** Puts the gateway together and brings its books in order. */
export async function createGateway(needs: GatewayNeeds): Promise<OpenGateway> {
  const { settings, queries, clock, log } = needs;
  const { silenceMs, pingMs, firstByteMs, firstTokenMs, unpriced, sessionCost } = settings.gateway;
  const seed = readRoutingSeed(settings);
  const routing = await openLiveRouting({ ...needs, seed, silenceMs });
  const store = createLeaseStore(queries, recordRequests);
  const { health, cluster } = needs;
  const books = await openBooks({ store, dataDir: settings.storage.dataDir, clock, log, health, cluster });
  const lookUps = createLookUps(books, log);
  lookUps.finishInherited(routing.table.upstreams);
  const replays = createReplays(clock);
  const sharedReplays = needs.cluster && shareReplays({ replays, queries, ...needs.cluster });
  const budgetParts = { queries, clock, flush: () => books.flush() };
  const measures = new Measures();
  let turn = 0;
  const gateway: Gateway = {
    books,
    dailyBudgets: createKeyBudgets(daily, budgetParts),
    monthlyBudgets: createKeyBudgets(monthly, budgetParts),
    tokenLimit: needs.tokenLimit,
    get routing() {
      return routing.table;
    },
    local: needs.local,
    lookUps,
    replays,
    cache: createResponseCache(clock),
    sharedReplays,
    measures,
    orderingFor: (asker) => ({ measures, asker, random: Math.random, nextTurn: () => turn++ }),
    clock,
    log,
    servesUnpriced: unpriced === "allow",
    tellsCost: settings.gateway.usageCost === "always",
    pingMs,
    firstByteMs,
    firstTokenMs,
    isTraced: settings.log.otlpUrl !== undefined,
    sessionCost: parseCost(sessionCost),
  };
  return {
    gateway,
    routingChanged: () => routing.changed(),
    async close() {
      lookUps.stop();
      sharedReplays?.close();
      await routing.close();
      await books.close();
    },
  };
}
