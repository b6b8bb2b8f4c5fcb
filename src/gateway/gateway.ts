import type { Books } from "../credits/books.ts";
import type { KeyBudgets } from "../credits/key-budgets.ts";
import type { Atto } from "../credits/money.ts";
import type { TokenLimit } from "../limits/token-limit.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { LocalModels } from "../ports/local-models.ts";
import type { LookUps } from "./charging/look-up.ts";
import type { Replays } from "./forwarding/replays.ts";
import type { SharedReplays } from "./forwarding/share-replays.ts";
import type { Measures } from "./measures/measures.ts";
import type { Aliases } from "./models/aliases.ts";
import type { Catalog } from "./models/catalog.ts";
import type { Upstream } from "./upstreams/upstream.ts";

/** What every endpoint of the gateway works with. */
export interface Gateway {
  readonly books: Books;
  /** Of keys with a limit for a day or a month. */
  readonly dailyBudgets: KeyBudgets;
  readonly monthlyBudgets: KeyBudgets;
  readonly tokenLimit: TokenLimit;
  readonly catalog: Catalog;
  readonly aliases: Aliases;
  /** In the order of the settings. */
  readonly upstreams: readonly Upstream[];
  readonly local: LocalModels;
  readonly lookUps: LookUps;
  readonly replays: Replays;
  /** Where several servers share the Idempotency-Keys. */
  readonly sharedReplays: SharedReplays | undefined;
  readonly measures: Measures;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether models without a known price are served. */
  readonly servesUnpriced: boolean;
  /** Whether every usage tells its cost, and not only those of callers who ask for it. */
  readonly tellsCost: boolean;
  /** How long a stream may be silent before the client hears a comment. */
  readonly pingMs: number;
  /** What a realtime session costs when the upstream names no price. */
  readonly sessionCost: Atto;
}
