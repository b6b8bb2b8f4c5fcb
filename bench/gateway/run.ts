import {
  type Contender,
  startBareProxy,
  startClients,
  startParlance,
  startPortkey,
  startUpstream,
  stopAll,
} from "./contenders.ts";
import { median, type Throughput } from "./measure.ts";
import { measureMemory } from "./measure-memory.ts";
import { createKeyFor, moneyTest } from "./money.ts";

/**
 * The gateway with full metering beside: the upstream asked directly, a bare node:http + undici proxy, and Portkey's gateway.
 * All four run in this one go, on the same fake upstream, in turns. Ends with the table of bench/gateway/README.md, after some
 * five minutes; --quick takes one and leaves the memory out.
 *
 *   npm run bench -- gateway/run [--quick]
 *
 * Portkey is not a dependency of this repository. To compare with it, install it beside, with the versions that its streams
 * need on Node 20, and name the folder:
 *   echo '{"overrides":{"hono":"4.9.7","@hono/node-server":"1.13.8"}}' > FOLDER/package.json
 *   npm install --prefix FOLDER @portkey-ai/gateway@1.15.2
 *   PORTKEY_FOLDER=FOLDER npm run bench -- gateway/run
 */
const isQuick = process.argv.includes("--quick");
const roundMs = isQuick ? 1_000 : 2_000;
const rounds = isQuick ? 3 : 5;
const loads = [1, 10, 50, 200];
const table: string[][] = [["", ...loads.map((load) => (load === 1 ? "1 connection" : String(load))), "goal"]];

try {
  const { measureThroughput, measureFirstByte, measureStreams } = startClients();
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
  const ratios: { bare: number; cpu: number; portkey: number | undefined }[] = [];
  for (const connections of loads) {
    const results = new Map<string, Throughput[]>();
    for (let round = 0; round < rounds; round++) {
      for (const contender of contenders) {
        const result = await measureThroughput(contender, connections, roundMs);
        results.set(contender.name, [...(results.get(contender.name) ?? []), result]);
      }
    }
    const of = (contender: Contender, pick: (one: Throughput) => number) =>
      median(results.get(contender.name)!.map(pick));
    const rate = (contender: Contender) => of(contender, (one) => one.perSecond);
    const cpu = (contender: Contender) => of(contender, (one) => one.cpuMicros);
    console.log(`  ${connections} connections`);
    for (const contender of contenders) {
      const failed = results.get(contender.name)!.reduce((sum, one) => sum + one.failed, 0);
      const ms = of(contender, (one) => one.medianMs).toFixed(2);
      const perSecond = rate(contender).toFixed(0).padStart(6);
      console.log(
        `    ${contender.name.padEnd(28)} ${perSecond}/s (${ms} ms)  ${cpu(contender).toFixed(0)} us${failed ? `  ${failed} FAILED` : ""}`,
      );
    }
    ratios.push({
      bare: rate(parlance) / rate(bare),
      cpu: cpu(parlance) / cpu(bare),
      portkey: portkey && rate(parlance) / rate(portkey),
    });
  }
  table.push(["throughput, of the bare proxy's", ...ratios.map((one) => one.bare.toFixed(2)), "0.8"]);
  table.push(["CPU per request, of the bare proxy's", ...ratios.map((one) => one.cpu.toFixed(1)), ""]);
  table.push(["throughput, of Portkey's", ...ratios.map((one) => one.portkey?.toFixed(1) ?? "-"), "5"]);

  console.log("\nTime to the first byte, one after another, median ms");
  for (const isStream of [false, true]) {
    const times = new Map<string, number[]>();
    for (let round = 0; round < rounds; round++) {
      for (const contender of contenders) {
        const measured = await measureFirstByte(contender, isQuick ? 50 : 150, isStream);
        times.set(contender.name, [...(times.get(contender.name) ?? []), ...measured]);
      }
    }
    const added = (contender: Contender) => median(times.get(contender.name)!) - median(times.get(direct.name)!);
    for (const contender of contenders) {
      const time = median(times.get(contender.name)!).toFixed(2);
      console.log(
        `    ${isStream ? "SSE " : "JSON"} ${contender.name.padEnd(28)} ${time} ms, ${added(contender).toFixed(2)} ms added`,
      );
    }
    const beside = `bare proxy ${added(bare).toFixed(2)}${portkey ? `, Portkey ${added(portkey).toFixed(2)}` : ""}`;
    const name = isStream ? "ms to the first chunk of a stream" : "ms added to a JSON reply";
    table.push([name, `${added(parlance).toFixed(2)} (${beside})`, "", "", "", isStream ? "" : "0.6"]);
  }

  console.log("\n200 streams at once, a chunk every 20 ms each");
  for (const contender of contenders) {
    const chunks = isQuick ? 30 : 150;
    const { chunksPerSecond, lagMedianMs, lag99Ms, cpuMicrosPerChunk } = await measureStreams(contender, 200, chunks);
    console.log(
      `    ${contender.name.padEnd(28)} ${chunksPerSecond.toFixed(0)} chunks/s, lag ${lagMedianMs.toFixed(1)} ms (99 %: ${lag99Ms.toFixed(1)}), ${cpuMicrosPerChunk.toFixed(0)} us CPU per chunk`,
    );
    if (contender !== direct && Number.isFinite(cpuMicrosPerChunk))
      table.push([`us of CPU per chunk, ${contender.name}`, "", "", "", cpuMicrosPerChunk.toFixed(0), ""]);
  }

  if (!isQuick) {
    const { sizes, ratio } = await measureMemory(parlance, 100_000);
    const megabytes = `${sizes[0]!.toFixed(0)} MB, then ${sizes.at(-1)!.toFixed(0)} MB, ratio ${ratio.toFixed(2)}`;
    table.push(["memory after 10,000 and 100,000 requests", "", "", megabytes, "", "1.10"]);
  }
  const money = await moneyTest(parlance, await createKeyFor(parlance));
  console.log(`\n1000 requests at once on a balance that covers 50\n    ${money}\n`);
  table.splice(1, 0, ["---", ...loads.map(() => "---"), "---"]);
  for (const row of table) console.log(`| ${row.join(" | ")} |`);
} finally {
  stopAll();
}
