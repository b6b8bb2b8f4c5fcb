// Many seeds, on all cores: node --import tsx tests/simulation/run.ts 3000 [--from 1] [--bug greedy-leases]
//   [--postgres postgres://...] (on one core, for it is one database)
import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import type { Bug } from "./bugs.ts";
import { simulate } from "./simulate.ts";
import { openWorld } from "./world.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: "string", default: "1" }, bug: { type: "string" }, postgres: { type: "string" } },
});
const count = Number(positionals[0] ?? 1000);
const from = Number(values.from);
const processes = values.postgres ? 1 : availableParallelism();

if (process.send) process.send(await simulateEvery(Number(process.env.FIRST)), () => process.exit());
else {
  const startedMs = performance.now();
  const faults = await Promise.all(
    Array.from({ length: processes }, async (_, n) => {
      const worker = fork(import.meta.filename, process.argv.slice(2), { env: { ...process.env, FIRST: String(n) } });
      const died = once(worker, "exit").then(() => Promise.reject(new Error("a simulation did not come to its end")));
      const [found] = await Promise.race([once(worker, "message"), died]);
      return Number(found);
    }),
  );
  const found = faults.reduce((sum, some) => sum + some, 0);
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  console.log(`${count} seeds, ${found} faults, ${seconds} s, ${processes} processes`);
  process.exit(found > 0 ? 1 : 0);
}

/** The seeds of one process. Returns how many were at fault. */
async function simulateEvery(first: number): Promise<number> {
  const world = await openWorld(values.postgres);
  let found = 0;
  for (let n = first; n < count; n += processes) {
    const fault = await simulate(world, from + n, values.bug as Bug | undefined);
    if (fault === undefined) continue;
    found += 1;
    console.log(`seed ${from + n}: ${fault}`);
  }
  await world.close();
  return found;
}
