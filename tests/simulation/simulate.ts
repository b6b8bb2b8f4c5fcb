import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { picosPerDollar } from "../../src/credits/money.ts";
import { describeError } from "../../src/platform/database-error.ts";
import type { Bug } from "./bugs.ts";
import { Chance } from "./chance.ts";
import type { Server } from "./server.ts";
import { Fault, Simulation } from "./simulation.ts";
import { VirtualTime } from "./timers.ts";
import type { World } from "./world.ts";

const cent = picosPerDollar / 100n;
const steps = 70;
const longAgoMs = 45 * 60_000;

/** Runs one seed to its end. Returns what was wrong, if anything. */
export async function simulate(world: World, seed: number, bug?: Bug): Promise<string | undefined> {
  const chance = new Chance(seed);
  const time = new VirtualTime();
  const disk = new Disk();
  const folders = new Set<string>();
  const simulation = new Simulation(world, time, chance, `ws_${bug ?? "none"}_${seed}`, bug);
  time.install();
  disk.install();
  try {
    await world.clear();
    await simulation.begin(2 + chance.below(2), BigInt(100 + chance.below(900)) * cent);
    // A third of all only shows what order things happen in.
    simulation.isCalm = chance.is(0.34);
    for (let step = 0; step < steps; step++) {
      for (const { dataDir } of simulation.servers) folders.add(dataDir);
      if (simulation.calls.count > 0 && chance.is(0.7)) await simulation.happen();
      else await act(simulation, time, disk, folders);
    }
    disk.isFull = false;
    await end(simulation, time, folders);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  } finally {
    disk.uninstall();
    time.uninstall();
    simulation.removeFolders([...folders]);
  }
}

/** Something happens that nobody waits for. */
async function act(simulation: Simulation, time: VirtualTime, disk: Disk, folders: Set<string>): Promise<void> {
  const { chance } = simulation;
  const server = chance.pick(simulation.servers.filter(({ books }) => books));
  const hold = server && chance.pick(server.holds);
  const cost = () => BigInt(chance.below(90)) * cent;
  const what = chance.next();
  if (what < 0.35) {
    const wanted = BigInt(1 + chance.below(90)) * cent;
    if (server) simulation.reserve(server, wanted, chance.is(0.7) ? wanted : wanted / 3n);
  } else if (what < 0.55) {
    if (hold) simulation.settle(server, hold, cost());
  } else if (what < 0.6) {
    if (hold) simulation.release(server, hold);
  } else if (what < 0.66) {
    if (hold) simulation.remark(server, hold);
  } else if (what < 0.72) {
    if (hold) simulation.queue(server, hold);
  } else if (what < 0.76) {
    const job = chance.pick(simulation.jobs);
    if (job && server) simulation.finish(server, job, cost()).catch(() => {});
  } else if (what < 0.93 || simulation.isCalm) {
    const often = [10, 300, 1100, 1100, 6000];
    time.advance(chance.pick(simulation.isCalm ? often : [...often, 61_000, 700_000])!);
  } else if (what < 0.95) time.advance(700_000, server);
  else breakSomething(simulation, server, disk, folders);
  await simulation.check();
}

function breakSomething(simulation: Simulation, server: Server | undefined, disk: Disk, folders: Set<string>): void {
  const { chance, servers } = simulation;
  const what = chance.next();
  if (what < 0.3 && server) simulation.kill(server);
  else if (what < 0.6) {
    const used = new Set(servers.map(({ dataDir }) => dataDir));
    const left = [...folders].filter((folder) => !used.has(folder));
    if (left.length > 0) simulation.start(chance.pick(left));
  } else if (what < 0.75 && server) server.isCutOff = !server.isCutOff;
  else if (what < 0.9 && server) server.troubles = chance.pick([0, 0.1, 0.5])!;
  else disk.isFull = !disk.isFull;
}

/** Everything is well again, and all that was going on comes to its end. */
async function end(simulation: Simulation, time: VirtualTime, folders: ReadonlySet<string>): Promise<void> {
  const { chance, servers } = simulation;
  const settleAll = async () => {
    for (const server of servers) {
      for (const hold of [...server.holds]) simulation.settle(server, hold, BigInt(chance.below(50)) * cent);
    }
    await simulation.drain();
  };
  const mend = () => {
    for (const server of servers) Object.assign(server, { isCutOff: false, troubles: 0 });
  };
  mend();
  await simulation.drain();
  // Twice: what a start could not take over because of a fault waits for the next.
  for (let round = 0; round < 2; round++) {
    for (const server of servers.filter(({ isDead }) => isDead)) simulation.kill(server);
    const used = new Set(servers.map(({ dataDir }) => dataDir));
    for (const folder of folders) if (!used.has(folder)) simulation.start(folder);
    await simulation.drain();
    await settleAll();
    for (const job of [...simulation.jobs]) {
      const ending = simulation.finish(servers[0]!, job, BigInt(chance.below(90)) * cent);
      await simulation.drain();
      await ending;
    }
    time.advance(1100);
    await simulation.drain();
    for (const server of [...servers]) {
      const { openHolds } = server.books!;
      if (openHolds > 0) throw new Fault(`${openHolds} holds are nobody's and stay open`);
      await close(simulation, server);
    }
  }
  // Whoever starts then finds only leases that nobody has renewed.
  simulation.start([...folders][0]);
  await simulation.drain();
  for (const ms of [longAgoMs, 61_000]) {
    time.advance(ms);
    await simulation.drain();
  }
  const [last] = servers;
  // Pays what is owed, as the next request does.
  simulation.reserve(last!, cent, cent);
  await simulation.drain();
  await settleAll();
  await close(simulation, last!);
  await simulation.checkEnd();
}

async function close(simulation: Simulation, server: Server): Promise<void> {
  let failure: unknown;
  server
    .run(() => server.books!.close())
    .catch((error) => {
      failure = error;
    });
  await simulation.drain();
  if (failure) throw new Fault(`the books cannot be closed: ${describeError(failure)}`);
  simulation.kill(server);
}

/** The disk of all servers: when it is full, writing fails. */
class Disk {
  isFull = false;
  readonly #write = fs.writeSync;

  install(): void {
    const write = this.#write as (...args: unknown[]) => number;
    fs.writeSync = ((...args: unknown[]) => {
      if (this.isFull) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
      return write(...args);
    }) as typeof fs.writeSync;
    syncBuiltinESMExports();
  }

  uninstall(): void {
    fs.writeSync = this.#write;
    syncBuiltinESMExports();
  }
}
