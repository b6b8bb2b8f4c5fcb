import { isDataError, tableOf } from "../platform/database-error.ts";
import { isolateBad } from "../platform/isolate-bad.ts";
import type { Log } from "../platform/log.ts";
import type { Charge, LeaseState, LeaseStore } from "./lease-store.ts";

export interface SpendingParts {
  readonly store: LeaseStore;
  readonly log: Log;
  /** Keeps what the database will never take where a person can look at it; returns where. */
  quarantine(entries: readonly unknown[]): string;
}

/** Spends charges so that a bad one holds up no others: its money is taken without its record, and a charge whose very amount is
 *  refused is left out. Both go into quarantine. Throws when the database cannot be asked. Returns what the leases
 *  then are. */
export async function spendCharges(
  parts: SpendingParts,
  owner: string,
  charges: readonly Charge[],
): Promise<ReadonlyMap<string, LeaseState>> {
  const { store } = parts;
  const leases = await trySpending(store, owner, charges);
  if (leases) return leases;
  const unrecorded = await replaceBad(parts, owner, charges, (charge) => [{ ...charge, about: null, figures: [] }]);
  return (
    (await trySpending(store, owner, unrecorded)) ??
    store.spend(owner, await replaceBad(parts, owner, unrecorded, () => []))
  );
}

/** Undefined when a charge is at fault. */
async function trySpending(
  store: LeaseStore,
  owner: string,
  charges: readonly Charge[],
): Promise<ReadonlyMap<string, LeaseState> | undefined> {
  try {
    return await store.spend(owner, charges);
  } catch (error) {
    if (isTheirFault(error)) return undefined;
    throw error;
  }
}

/** An account that does not add up is the books' fault: good charges wait until it does. */
function isTheirFault(error: unknown): boolean {
  return isDataError(error) && !/^credit_(accounts|leases)$/.test(tableOf(error) ?? "");
}

async function replaceBad(
  { store, log, quarantine }: SpendingParts,
  owner: string,
  charges: readonly Charge[],
  replace: (charge: Charge) => readonly Charge[],
): Promise<Charge[]> {
  const { bad } = await isolateBad(charges, (some) => store.rehearse(owner, some), isTheirFault);
  const faulty = new Set(bad.map(({ item }) => item));
  const file = quarantine([...faulty].map(inText));
  log.error({ charges: faulty.size, file }, "charges that the database refuses are in quarantine");
  return charges.flatMap((charge) => (faulty.has(charge) ? replace(charge) : [charge]));
}

function inText({ amount, owed, figures, ...rest }: Charge): object {
  return { ...rest, amount: amount.toString(), owed: owed.toString(), figures: figures.map(String) };
}
