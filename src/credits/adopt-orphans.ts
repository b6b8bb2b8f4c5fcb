import { describeError } from "../platform/database-error.ts";
import type { Hold, ReferredHold } from "./books.ts";
import { type Journal, journaled, type OrphanedJournal } from "./journal.ts";
import type { Lease } from "./lease.ts";
import type { Pico } from "./money.ts";
import { type SpendingParts, spendCharges } from "./spend-charges.ts";

interface Successor {
  readonly spending: SpendingParts;
  readonly journal: Journal;
  readonly owner: string;
  readonly holds: Map<string, Hold | ReferredHold>;
  leaseOf(workspaceId: string): Lease;
}

/** Settles what earlier runs have spent, takes over what they left open and returns that. */
export async function adoptOrphans(successor: Successor, orphans: readonly OrphanedJournal[]): Promise<ReferredHold[]> {
  const inherited: ReferredHold[] = [];
  // A start that was cut off may have taken over what an earlier run left open, and have ended it.
  const charged = new Set(orphans.flatMap(({ charges }) => charges.map(({ id }) => id)));
  for (const orphan of orphans) {
    const open = orphan.open.filter(({ id }) => !charged.has(id));
    // Its leases and journal stay as they are; a start never fails because of them.
    await inherit(successor, { ...orphan, open }, inherited).catch((error) =>
      successor.spending.log.error(
        { error: describeError(error) },
        "credits of an earlier process wait for a later start",
      ),
    );
  }
  return inherited;
}

async function inherit(
  { spending, journal, owner, holds, leaseOf }: Successor,
  { owner: earlier, charges, open, remove }: OrphanedJournal,
  inherited: ReferredHold[],
): Promise<void> {
  const { store, log } = spending;
  await spendCharges(spending, earlier, charges);
  const wanted = new Map<string, Pico>();
  for (const { workspaceId, amount } of open) {
    wanted.set(workspaceId, (wanted.get(workspaceId) ?? 0n) + BigInt(amount));
  }
  // Also when the lease that backed it is gone by now: what the request cost is then owed.
  const left = open.map(({ amount, ...rest }) => ({ ...rest, amount: BigInt(amount) }));
  for (const hold of left) journal.hold(journaled(hold));
  if (!journal.writeDown()) throw new Error("the journal of this process cannot be written");
  const states = await store.inherit(earlier, owner, wanted);
  for (const [workspaceId, state] of states) leaseOf(workspaceId).seen(state);
  for (const hold of left) {
    if (holds.has(hold.id)) continue;
    leaseOf(hold.workspaceId).hold(hold.amount);
    holds.set(hold.id, hold);
    inherited.push(hold);
  }
  // In this order: without its mark a journal that is still there would be spent again.
  remove();
  await store.forget(earlier);
  if (charges.length + open.length > 0) {
    log.info({ charges: charges.length, open: open.length }, "credits of an earlier process recovered");
  }
}
