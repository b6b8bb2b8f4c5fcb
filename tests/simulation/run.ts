// Many seeds: node --import tsx tests/simulation/run.ts --seeds 3000 [--from 1] [--bug greedy-leases] [--postgres postgres://...]
import { parseArgs } from "node:util";
import type { Bug } from "./bugs.ts";
import { simulate } from "./simulate.ts";
import { openWorld } from "./world.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    from: { type: "string", default: "1" },
    bug: { type: "string" },
    postgres: { type: "string" },
  },
});
const world = await openWorld(values.postgres);
const from = Number(values.from);
const startedMs = performance.now();
let found = 0;
for (let seed = from; seed < from + Number(values.seeds); seed++) {
  const fault = await simulate(world, seed, values.bug as Bug | undefined);
  if (fault === undefined) continue;
  found += 1;
  console.log(`seed ${seed}: ${fault}`);
}
await world.close();
console.log(`${values.seeds} seeds, ${found} faults, ${Math.round((performance.now() - startedMs) / 1000)} s`);
process.exit(found > 0 ? 1 : 0);
