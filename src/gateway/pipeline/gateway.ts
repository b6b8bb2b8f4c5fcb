import type { FastifyRequest } from "fastify";
import type { Books } from "../../credits/books.ts";
import type { KeyBudgets } from "../../credits/key-budgets.ts";
import type { Atto } from "../../credits/money.ts";
import type { TokenLimit } from "../../limits/token-limit.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { LocalModels } from "../../ports/local-models.ts";
import type { Ordering } from "../catalog/order-routes.ts";
import type { Json } from "../json.ts";
import type { Measures } from "../measures/measures.ts";
import type { Table } from "../routing/live-routing.ts";
import type { Replays } from "./idempotency.ts";
import type { LookUps } from "./look-up.ts";
import type { ResponseCache } from "./response-cache.ts";
import type { SharedReplays } from "./share-replays.ts";

/** What every endpoint of the gateway works with. */
export interface Gateway {
  readonly books: Books;
  /** Of keys with a limit for a day or a month. */
  readonly dailyBudgets: KeyBudgets;
  readonly monthlyBudgets: KeyBudgets;
  readonly tokenLimit: TokenLimit;
  /** Who serves what at this moment. */
  readonly routing: Table;
  readonly local: LocalModels;
  readonly lookUps: LookUps;
  readonly replays: Replays;
  readonly cache: ResponseCache;
  /** Where several servers share the Idempotency-Keys. */
  readonly sharedReplays: SharedReplays | undefined;
  readonly measures: Measures;
  /** By what those who serve a model are put in order, for somebody who asks. */
  orderingFor(asker: string): Ordering;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether models without a known price are served. */
  readonly servesUnpriced: boolean;
  /** Whether every usage tells its cost, and not only those of callers who ask for it. */
  readonly tellsCost: boolean;
  /** How long a stream may be silent before the client hears a comment. */
  readonly pingMs: number;
  /** How long a stream may take to begin, and to say something, while another upstream is free. */
  readonly firstByteMs: number;
  readonly firstTokenMs: number;
  /** Somebody collects spans, whether callers send theirs or not. */
  readonly isTraced: boolean;
  /** What a realtime session costs when the upstream names no price. */
  readonly sessionCost: Atto;
}

/** Who pays, and where the tokens are noted. */
export type Payer = Pick<FastifyRequest, "caller" | "usage" | "headers">;

/** A request that goes on to an upstream. */
export type ForwardedRequest<Wanted = Json> = Payer &
  Pick<FastifyRequest, "id" | "signal" | "rawBody" | "routeConfig" | "receivedAtMs"> & { readonly body: Wanted };
