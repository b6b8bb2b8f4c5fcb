import { type Contender, startBareProxy, startParlance, startPortkey, startUpstream, stopAll } from "./contenders.ts";
import { measureFirstByte, measureStreams, measureThroughput, median, type Throughput } from "./measure.ts";
import { createKeyFor, moneyTest } from "./money.ts";

/**
 * The gateway with full metering beside: the upstream asked directly, a bare node:http + undici proxy, and Portkey's gateway.
 * All four run in this one go, on the same fake upstream, in turns.
 *
 *   npx tsx bench/gateway/run.ts [--quick]
 *
 * Portkey is not a dependency of this repository. To compare with it, install it beside and name the folder:
 *   npm install --prefix FOLDER @portkey-ai/gateway@1.15.2 hono@4.9.7 @hono/node-server@1.13.8
 *   PORTKEY_FOLDER=FOLDER npx tsx bench/gateway/run.ts
 */
const isQuick = process.argv.includes("--quick");
const roundMs = isQuick ? 1_000 : 3_000;
const rounds = isQuick ? 2 : 3;

try {
  const direct = await startUpstream();
  const bare = await startBareProxy(direct.url);
  const parlance = await startParlance(direct.url);
  const portkey = process.env.PORTKEY_FOLDER ? await startPortkey(process.env.PORTKEY_FOLDER, direct.url) : undefined;
  if (!portkey)
    console.log("Portkey is left out: PORTKEY_FOLDER names no folder that has it (see the head of run.ts).\n");
  const contenders = [direct, bare, parlance, ...(portkey ? [portkey] : [])];
  // Long enough for the compiler to have seen the hot path.
  for (const contender of contenders) await measureThroughput(contender, 20, isQuick ? 3_000 : 8_000);

  console.log("JSON, requests per second (median ms), CPU of the contender in microseconds per request");
  for (const connections of [1, 10, 50, 200]) {
    const results = new Map<string, Throughput[]>();
    for (let round = 0; round < rounds; round++) {
      for (const contender of contenders) {
        const result = await measureThroughput(contender, connections, roundMs);
        results.set(contender.name, [...(results.get(contender.name) ?? []), result]);
      }
    }
    const of = (contender: Contender, pick: (one: Throughput) => number) =>
      median(results.get(contender.name)!.map(pick));
    console.log(`  ${connections} connections`);
    for (const contender of contenders) {
      const failed = results.get(contender.name)!.reduce((sum, one) => sum + one.failed, 0);
      console.log(
        `    ${contender.name.padEnd(28)} ${of(contender, (one) => one.perSecond)
          .toFixed(0)
          .padStart(
            6,
          )}/s (${of(contender, (one) => one.medianMs).toFixed(2)} ms)  ${of(contender, (one) => one.cpuMicros).toFixed(0)} us${failed ? `  ${failed} FAILED` : ""}`,
      );
    }
    const rate = (contender: Contender) => of(contender, (one) => one.perSecond);
    const cpu = (contender: Contender) => of(contender, (one) => one.cpuMicros);
    console.log(
      `    parlance / bare proxy: ${(rate(parlance) / rate(bare)).toFixed(2)} of the throughput, ${(cpu(parlance) / cpu(bare)).toFixed(2)} of the CPU${portkey ? `; parlance / portkey: ${(rate(parlance) / rate(portkey)).toFixed(1)}` : ""}`,
    );
  }

  console.log("\nTime to the first byte, one after another, median ms");
  for (const isStream of [false, true]) {
    const times = new Map<string, number[]>();
    for (let round = 0; round < rounds; round++) {
      for (const contender of contenders) {
        const measured = await measureFirstByte(contender, isQuick ? 50 : 150, isStream);
        times.set(contender.name, [...(times.get(contender.name) ?? []), ...measured]);
      }
    }
    const base = median(times.get(direct.name)!);
    for (const contender of contenders) {
      const time = median(times.get(contender.name)!);
      console.log(
        `    ${isStream ? "SSE " : "JSON"} ${contender.name.padEnd(28)} ${time.toFixed(2)} ms, ${(time - base).toFixed(2)} ms added`,
      );
    }
  }

  console.log("\n200 streams at once, a chunk every 20 ms each");
  for (const contender of contenders) {
    const { chunksPerSecond, lagMedianMs, lag99Ms, cpuMicrosPerChunk } = await measureStreams(
      contender,
      200,
      isQuick ? 30 : 150,
    );
    console.log(
      `    ${contender.name.padEnd(28)} ${chunksPerSecond.toFixed(0)} chunks/s, lag ${lagMedianMs.toFixed(1)} ms (99 %: ${lag99Ms.toFixed(1)}), ${cpuMicrosPerChunk.toFixed(0)} us CPU per chunk`,
    );
  }

  console.log("\n1000 requests at once on a balance that covers 50");
  console.log(`    ${await moneyTest(parlance, await createKeyFor(parlance))}`);
} finally {
  stopAll();
}
