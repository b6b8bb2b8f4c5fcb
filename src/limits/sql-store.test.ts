import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds, openTestDatabase } from "../../tests/support/databases.ts";
import type { Database } from "../ports/database.ts";
import { SlidingWindow } from "./sliding-window.ts";
import { SqlStore } from "./sql-store.ts";

describe.each(databaseKinds)("a window that all servers share, by %s", (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  }, 120_000);
  afterAll(() => database.close());

  const open = (name: string, stepMs?: number) =>
    new SlidingWindow(new SqlStore(database.queries, name, 60_000, stepMs));
  /** Makes what was counted so much older. */
  const age = (ms: number) =>
    database.queries.execute(sql`UPDATE rate_windows SET taken = ARRAY(SELECT t - ${ms} FROM unnest(taken) AS t)`);

  it("lets the limit through, over both of two servers, and says when the next may come", async () => {
    const [one, other] = [open("both"), open("both")];
    for (const [index, window] of [one, other, one].entries())
      expect(await window.take("a", 3)).toMatchObject({ isAllowed: true, remaining: 2 - index });
    await age(20_000);
    expect(await other.take("a", 3)).toMatchObject({ isAllowed: false, remaining: 0, retryAfterSeconds: 40 });
    expect(await one.take("b", 3)).toMatchObject({ isAllowed: true, remaining: 2 });
    await age(40_001);
    expect(await other.take("a", 3)).toMatchObject({ isAllowed: true, remaining: 2 });
  });

  it("never lets two at once take the last place", async () => {
    const window = open("at once");
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => window.take("a", 5)));
    expect(verdicts.filter(({ isAllowed }) => isAllowed)).toHaveLength(5);
  });

  it("takes a cost whole or not at all, and waits until enough of the others has left", async () => {
    const window = open("cost");
    await window.take("a", 10, 4);
    await age(30_000);
    await window.take("a", 10, 5);
    expect(await window.take("a", 10, 3)).toMatchObject({ isAllowed: false, remaining: 1, retryAfterSeconds: 30 });
    expect(await window.take("a", 10, 7)).toMatchObject({ isAllowed: false, remaining: 1, retryAfterSeconds: 60 });
    expect(await window.take("a", 10, 1)).toMatchObject({ isAllowed: true, remaining: 0 });
    expect(await window.take("a", 10, 11)).toMatchObject({ isAllowed: false });
  });

  it("counts what was used already beyond the limit, in one place for each step, and never lets it leave early", async () => {
    const window = open("tokens", 1000);
    for (let n = 0; n < 5; n++) await window.add("a", 30);
    expect(await window.look("a", 100)).toMatchObject({ isAllowed: false, remaining: 0 });
    expect((await window.look("a", 100)).retryAfterSeconds).toBeGreaterThanOrEqual(60);
    const { rows } = await database.queries.execute<{ places: number }>(
      sql`SELECT cardinality(taken) AS places FROM rate_windows WHERE name = 'tokens a'`,
    );
    expect(rows[0]!.places).toBeLessThanOrEqual(2);
    await age(61_001);
    expect(await window.look("a", 100)).toMatchObject({ isAllowed: true, remaining: 100 });
  });

  it("counts uses of a server of the version before, which writes no costs, as one each", async () => {
    const window = open("former");
    await window.take("a", 3);
    await database.queries.execute(sql`
      UPDATE rate_windows SET taken = taken || ARRAY[extract(epoch FROM clock_timestamp())::double precision * 1000]
      WHERE name = 'former a'`);
    expect(await window.take("a", 3)).toMatchObject({ isAllowed: true, remaining: 0 });
  });

  it("says without asking what it last heard", async () => {
    const window = open("last");
    expect(window.lastSeen("a", 3)).toMatchObject({ remaining: 3 });
    await window.take("a", 3);
    expect(window.lastSeen("a", 3)).toMatchObject({ remaining: 2 });
  });
});
