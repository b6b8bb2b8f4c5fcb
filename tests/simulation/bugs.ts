import { sql } from "drizzle-orm";
import type { Books } from "../../src/credits/books.ts";
import type { LeaseState, LeaseStore } from "../../src/credits/lease-store.ts";
import { picosPerDollar } from "../../src/credits/money.ts";
import type { Queries } from "../../src/ports/database.ts";

/** Faults that were once in the program, put back around it: the simulation must find each. */
export const bugs = ["hold-stays-behind", "greedy-leases", "given-back-twice"] as const;
export type Bug = (typeof bugs)[number];

/** The store as it was: a lease took four times what was missing, whatever that left to others; and what was given back was taken
 *  off the account also when the lease was no longer there. */
export function withBug(store: LeaseStore, queries: Queries, bug: Bug | undefined): LeaseStore {
  if (bug === "greedy-leases") {
    const most = 3n * picosPerDollar;
    return {
      ...store,
      take: (owner, workspaceId, least) => store.take(owner, workspaceId, least, (free) => (free < most ? free : most)),
    };
  }
  return bug === "given-back-twice" ? givingBackTwice(store, queries) : store;
}

function givingBackTwice(store: LeaseStore, queries: Queries): LeaseStore {
  const known = new Map<string, LeaseState>();
  const learn = (workspaceId: string, state: LeaseState | undefined) => {
    if (state) known.set(workspaceId, state);
    return state;
  };
  return {
    ...store,
    async take(owner, workspaceId, least, portion) {
      const taken = await store.take(owner, workspaceId, least, portion);
      learn(workspaceId, taken.lease);
      return taken;
    },
    async spend(owner, charges) {
      const states = await store.spend(owner, charges);
      for (const [workspaceId, state] of states) learn(workspaceId, state);
      return states;
    },
    // What was held when the lease was lost was taken to be still there.
    renew: async (owner) => new Map([...known, ...(await store.renew(owner))]),
    giveBack: (owner, workspaceId, amount) =>
      queries.transaction(async (transaction) => {
        const by = amount.toString();
        await transaction.execute(
          sql`UPDATE credit_accounts SET leased = leased - ${by}::bigint WHERE workspace_id = ${workspaceId}`,
        );
        const { rows } = await transaction.execute<{ amount: string; version: string }>(
          sql`UPDATE credit_leases SET amount = amount - ${by}::bigint, version = nextval('credit_lease_versions')
              WHERE owner = ${owner} AND workspace_id = ${workspaceId} RETURNING amount::text, version::text`,
        );
        const [row] = rows;
        return learn(workspaceId, row && { amount: BigInt(row.amount), version: BigInt(row.version) });
      }),
  };
}

/** A job knew nothing of the hold that its server went on keeping; whoever claimed it held once more. */
export function withoutParking(books: Books): Books {
  return { ...books, park: async () => () => {} };
}
