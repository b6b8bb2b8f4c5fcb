import type { Queries } from "../ports/database.ts";
import type { Books, ChargeRecord, Hold } from "./books.ts";
import type { Charge, LeaseStore } from "./lease-store.ts";
import type { Pico } from "./money.ts";
import { type SpendingParts, spendCharges } from "./spend-charges.ts";

/** How long after its last claim a job's money waits for it, beyond the term of leases. */
const keptMs = 30 * 60_000;

/** Where the meter of a request ends its hold. */
export type Ending = Pick<Books, "settle" | "release" | "remark">;

/** Money set aside for a job, in a lease of the job's own: it belongs to no server, so whoever has claimed the job ends it, in the
 *  transaction that ends the job. */
export interface ParkedHold extends Ending {
  readonly hold: Hold;
  /** Says that somebody works on the job. */
  keep(): Promise<void>;
  /** Charges what was settled, if anything, and frees the rest. */
  end(within: Queries): Promise<void>;
}

export function parkHold(store: LeaseStore, owner: string, hold: Hold, name: string): ReturnType<LeaseStore["park"]> {
  return store.park(owner, hold.workspaceId, hold.amount, name, keptMs);
}

export function openParked(spending: SpendingParts, nowMs: () => number, name: string, hold: Hold): ParkedHold {
  let charge: Charge | undefined;
  return {
    hold,
    settle(_hold, wanted, record: ChargeRecord | null): Pico {
      const cost = wanted < 0n ? 0n : wanted;
      const amount = cost < hold.amount ? cost : hold.amount;
      const { id, workspaceId } = hold;
      const { about = null, figures = [] } = record ?? {};
      // The name is a run with a single charge, so that it is spent once.
      charge = { position: 1, id, workspaceId, amount, owed: cost - amount, at: nowMs(), about, figures };
      return amount;
    },
    release() {},
    remark() {},
    keep: () => spending.store.keep(name, keptMs),
    async end(within) {
      const store = spending.store.within(within);
      if (charge) await spendCharges({ ...spending, store }, name, [charge]);
      await store.inherit(name, "", new Map());
      await store.forget(name);
    },
  };
}
