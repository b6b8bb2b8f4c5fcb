import { startParlance, startUpstream, stopAll } from "./contenders.ts";
import { measureMemory } from "./measure-memory.ts";

/**
 * Resident memory of the gateway over many metered requests.
 *
 *   npm run bench -- gateway/memory [requests]
 */
const total = Number(process.argv[2] ?? 100_000);

try {
  const upstream = await startUpstream();
  const { sizes, ratio } = await measureMemory(await startParlance(upstream.url), total);
  for (const [index, size] of sizes.entries()) {
    console.log(`${Math.round((total * (index + 1)) / sizes.length)} requests: ${size.toFixed(0)} MB`);
  }
  console.log(`ratio of the last requests to the first: ${ratio.toFixed(2)} (flat is at most 1.10)`);
} finally {
  stopAll();
}
