import { rmSync } from "node:fs";
import { sql } from "drizzle-orm";
import type { Hold } from "../../src/credits/books.ts";
import { openBooks } from "../../src/credits/books.ts";
import { createLeaseStore, type RecordCharges } from "../../src/credits/lease-store.ts";
import { grantCredits } from "../../src/credits/ledger.ts";
import { InsufficientCredits } from "../../src/credits/refuse.ts";
import { silentLog } from "../../src/platform/log.ts";
import { findFault, readFigures } from "./audit.ts";
import { type Bug, withBug, withoutParking } from "./bugs.ts";
import { Calls, callsOf, Wire } from "./calls.ts";
import type { Chance } from "./chance.ts";
import { Server } from "./server.ts";
import type { VirtualTime } from "./timers.ts";
import type { World } from "./world.ts";

interface Job {
  readonly id: string;
  readonly hold: Hold;
}

interface Asked {
  readonly wanted: bigint;
  /** The least that was free for it while it waited. */
  free: bigint;
}

/** What must have been charged for a request in the end; less than sure is what only a full disk knows of. */
interface Owed {
  readonly cost: bigint;
  isSure: boolean;
}

export class Fault extends Error {}

/** Some servers that spend one balance, what is going on between them, and what is true of it. */
export class Simulation {
  readonly calls: Calls;
  readonly servers: Server[] = [];
  readonly jobs: Job[] = [];
  readonly #wire: Wire;
  readonly #time: VirtualTime;
  readonly #world: World;
  readonly #chance: Chance;
  readonly #workspaceId: string;
  readonly #bug: Bug | undefined;
  readonly #charges = new Map<string, Owed>();
  readonly #asking = new Set<Asked>();
  /** By servers that were killed since, to be asked about. */
  readonly #referred = new Set<string>();
  /** No fault has happened: then nothing may be refused that the balance covers. */
  isCalm = true;
  #granted = 0n;
  #count = 0;
  #fault: string | undefined;

  constructor(world: World, time: VirtualTime, chance: Chance, name: string, bug?: Bug) {
    this.#world = world;
    this.#time = time;
    this.#chance = chance;
    this.#workspaceId = name;
    this.#bug = bug;
    this.calls = new Calls(chance, () => world.tellTime(time.nowMs));
    this.#wire = new Wire(this.calls);
  }

  async begin(count: number, granted: bigint): Promise<void> {
    const { queries } = this.#world;
    await queries.execute(sql`INSERT INTO workspaces (id, name) VALUES (${this.#workspaceId}, ${this.#workspaceId})`);
    await this.grant(granted);
    for (let n = 0; n < count; n++) this.start();
    await this.drain();
  }

  async grant(amount: bigint): Promise<void> {
    await grantCredits(this.#world.queries, this.#workspaceId, amount, "");
    this.#granted += amount;
  }

  /** One of the calls that wait happens, and whatever follows from it at once. */
  async happen(): Promise<void> {
    await this.calls.happen();
    await this.check();
    if (!this.calls.takeUnaudited()) return;
    const fault = findFault(await readFigures(this.#world.queries, this.#workspaceId));
    if (fault) throw new Fault(fault);
  }

  async drain(): Promise<void> {
    for (await turn(); this.calls.count > 0; ) await this.happen();
  }

  start(dataDir?: string): Server {
    const server = new Server(this.#time, dataDir);
    this.servers.push(server);
    const { queries } = this.#world;
    const store = callsOf(this.calls, server, withBug(createLeaseStore(queries, this.#record), queries, this.#bug));
    const cluster = { bus: this.#wire.of(server), name: "s" };
    const { dataDir: folder, health } = server;
    const clock = { now: () => this.#time.nowMs };
    const parts = { store, dataDir: folder, clock, log: silentLog, health };
    const isAlone = this.#bug === "greedy-leases";
    server
      .run(() => openBooks(isAlone ? parts : { ...parts, cluster }))
      .then(
        (books) => {
          server.books = this.#bug === "hold-stays-behind" ? withoutParking(books) : books;
          for (const hold of books.inherited) server.holds.push(hold);
        },
        // No room on the disk.
        () => server.kill(),
      );
    return server;
  }

  kill(server: Server): void {
    server.kill();
    this.servers.splice(this.servers.indexOf(server), 1);
    server.holds.length = 0;
  }

  reserve(server: Server, wanted: bigint, least: bigint): void {
    const { books } = server;
    if (!books) return;
    const asked: Asked = { wanted, free: this.#free() };
    this.#asking.add(asked);
    const request = { id: `${this.#workspaceId}-${++this.#count}`, workspaceId: this.#workspaceId, wanted, least };
    server
      .run(async () => books.reserve(request))
      .then(
        (hold) => void server.holds.push(hold),
        (error) => {
          const isRefusal = error instanceof InsufficientCredits;
          if (isRefusal && this.isCalm && asked.free >= least) {
            this.#fault ??= `refused although $${asked.free} pico-dollars were free: ${error.message}`;
          }
          // Calls that fail say so in words of their own.
          if (!isRefusal && this.isCalm && !/cost .* more than/.test(error.message))
            this.#fault ??= String(error.stack);
        },
      )
      .finally(() => this.#asking.delete(asked));
  }

  settle(server: Server, hold: Hold, cost: bigint): void {
    remove(server.holds, hold);
    this.#referred.delete(hold.id);
    server.run(() => server.books!.settle(hold, cost, { about: {}, figures: [] }));
    this.#charges.set(hold.id, { cost, isSure: server.isJournaling });
    if (!server.isJournaling) server.unsure.push(hold.id);
  }

  release(server: Server, hold: Hold): void {
    remove(server.holds, hold);
    this.#referred.delete(hold.id);
    server.run(() => server.books!.release(hold));
  }

  remark(server: Server, hold: Hold): void {
    if (this.#referred.has(hold.id)) return;
    server.run(() => server.books!.remark(hold, "there", {}));
    if (server.isJournaling) this.#referred.add(hold.id);
  }

  /** As an async video is queued. */
  queue(server: Server, hold: Hold): void {
    if (this.#referred.has(hold.id)) return;
    remove(server.holds, hold);
    const books = server.books!;
    const id = `job-${hold.id}`;
    const queuing = async () => {
      const parked = await this.#world.queries.transaction(async (within) => {
        await within.execute(sql`INSERT INTO simulated_jobs (id) VALUES (${id})`);
        return books.park(hold, id, within);
      });
      this.jobs.push({ id, hold });
      return parked;
    };
    server.run(() =>
      this.calls.ask(server, queuing).then(
        (parked) => parked(),
        () => books.release(hold),
      ),
    );
  }

  /** As whoever has claimed the job ends it. */
  async finish(server: Server, job: Job, cost: bigint): Promise<void> {
    const { queries } = this.#world;
    const { hold } = job;
    await server.run(async () => {
      const parked = server.books!.parked(job.id, hold);
      await parked.keep();
      parked.settle(hold, cost, { about: {}, figures: [] });
      await this.calls.ask(server, () =>
        queries.transaction(async (within) => {
          const { rows } = await within.execute(sql`DELETE FROM simulated_jobs WHERE id = ${job.id} RETURNING id`);
          if (rows.length === 0) return;
          await parked.end(within);
          remove(this.jobs, job);
          this.#charges.set(hold.id, { cost, isSure: true });
        }),
      );
    });
  }

  /** What must be true now, whatever the database says. */
  async check(): Promise<void> {
    await turn();
    for (const asked of this.#asking) {
      const free = this.#free(asked);
      if (free < asked.free) asked.free = free;
    }
    for (const server of this.servers.filter(({ isJournaling }) => isJournaling)) {
      for (const id of server.unsure.splice(0)) this.#charges.get(id)!.isSure = true;
    }
    if (this.#fault !== undefined) throw new Fault(this.#fault);
  }

  /** What must be true when everything has ended: each request charged once and with what it cost, and the rest free again. */
  async checkEnd(): Promise<void> {
    const { queries } = this.#world;
    const { rows } = await queries.execute<{ id: string; total: string }>(
      sql`SELECT id, total::text FROM simulated_charges WHERE workspace_id = ${this.#workspaceId}`,
    );
    const found = new Map(rows.map(({ id, total }) => [id, BigInt(total)]));
    if (found.size !== rows.length) throw new Fault("a request was charged twice");
    for (const [id, { cost, isSure }] of this.#charges) {
      const total = found.get(id);
      if (total === undefined ? isSure && cost > 0n : total !== cost) {
        throw new Fault(`the charge of ${cost} for ${id} is ${total ?? "lost"}`);
      }
    }
    for (const id of found.keys()) if (!this.#charges.has(id)) throw new Fault(`${id} was charged for nothing`);
    if (this.#referred.size > 0) throw new Fault(`nobody was asked what ${[...this.#referred]} cost`);
    const { leased, balance, debt } = await readFigures(queries, this.#workspaceId);
    if (leased !== 0n) throw new Fault(`${leased} are held for ever`);
    if (debt > 0n && balance > 0n) throw new Fault(`${debt} are owed and ${balance} free`);
  }

  removeFolders(folders: readonly string[]): void {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }

  /** Of the balance, for one more request. */
  #free(except?: Asked): bigint {
    let free = this.#granted;
    for (const { cost } of this.#charges.values()) free -= cost;
    for (const { holds } of this.servers) for (const { amount } of holds) free -= amount;
    for (const { hold } of this.jobs) free -= hold.amount;
    for (const asked of this.#asking) if (asked !== except) free -= asked.wanted;
    return free;
  }

  readonly #record: RecordCharges = async (transaction, charges) => {
    for (const { id, workspaceId, amount, owed } of charges) {
      await transaction.execute(
        sql`INSERT INTO simulated_charges VALUES (${id}, ${workspaceId}, ${(amount + owed).toString()}::bigint)`,
      );
    }
  };

  get chance(): Chance {
    return this.#chance;
  }
}

/** Until everything that follows at once has happened, the journal's writing included. */
async function turn(): Promise<void> {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
}

function remove<Item>(items: Item[], item: Item): void {
  const index = items.indexOf(item);
  if (index >= 0) items.splice(index, 1);
}
