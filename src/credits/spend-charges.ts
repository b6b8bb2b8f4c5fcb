import { isDataError } from "../platform/database-error.ts";
import { isolateBad } from "../platform/isolate-bad.ts";
import type { Log } from "../platform/log.ts";
import type { Charge, LeaseStore } from "./lease-store.ts";

export interface SpendingParts {
  readonly store: LeaseStore;
  readonly log: Log;
  /** Keeps what the database will never take where a person can look at it; returns where. */
  quarantine(entries: readonly unknown[]): string;
}

/** Spends charges so that a bad one holds up no others: its money is taken without its record, and a charge whose very amount is
 *  refused is left out. Both go into quarantine. Throws when the database cannot be asked. */
export async function spendCharges(parts: SpendingParts, owner: string, charges: readonly Charge[]): Promise<void> {
  const { store } = parts;
  if (await trySpending(store, owner, charges)) return;
  const unrecorded = await replaceBad(parts, owner, charges, (charge) => [{ ...charge, about: null, figures: [] }]);
  if (await trySpending(store, owner, unrecorded)) return;
  await store.spend(owner, await replaceBad(parts, owner, unrecorded, () => []));
}

/** False when a charge is at fault. */
async function trySpending(store: LeaseStore, owner: string, charges: readonly Charge[]): Promise<boolean> {
  try {
    await store.spend(owner, charges);
    return true;
  } catch (error) {
    if (isDataError(error)) return false;
    throw error;
  }
}

async function replaceBad(
  { store, log, quarantine }: SpendingParts,
  owner: string,
  charges: readonly Charge[],
  replace: (charge: Charge) => readonly Charge[],
): Promise<Charge[]> {
  const { bad } = await isolateBad(charges, (some) => store.rehearse(owner, some), isDataError);
  const faulty = new Set(bad.map(({ item }) => item));
  const file = quarantine([...faulty].map(inText));
  log.error({ charges: faulty.size, file }, "charges that the database refuses are in quarantine");
  return charges.flatMap((charge) => (faulty.has(charge) ? replace(charge) : [charge]));
}

function inText({ amount, owed, figures, ...rest }: Charge): object {
  return { ...rest, amount: amount.toString(), owed: owed.toString(), figures: figures.map(String) };
}
