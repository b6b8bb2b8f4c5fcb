import { Pool } from "undici";
import type { Contender } from "./contenders.ts";
import { processUse } from "./process-use.ts";

const body = (extra = {}) =>
  JSON.stringify({
    model: "acme/chat",
    max_tokens: 100,
    messages: [{ role: "user", content: "y".repeat(480) }],
    ...extra,
  });

export const median = (values: number[]): number => percentile(values, 0.5);
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const call = (contender: Contender, text: string) => ({
  method: "POST" as const,
  path: contender.path,
  headers: { ...contender.headers, "content-type": "application/json" },
  body: text,
});

export interface Throughput {
  perSecond: number;
  medianMs: number;
  cpuMicros: number;
  failed: number;
}

/** As many requests as `connections` clients get answered in `ms`. */
export async function measureThroughput(contender: Contender, connections: number, ms: number): Promise<Throughput> {
  const pool = new Pool(contender.url, { connections, pipelining: 1 });
  const text = body();
  const times: number[] = [];
  let failed = 0;
  const ask = async () => {
    const startedAt = performance.now();
    const { statusCode, body: reply } = await pool.request(call(contender, text));
    await reply.dump();
    if (statusCode !== 200) failed += 1;
    times.push(performance.now() - startedAt);
  };
  await Promise.all(Array.from({ length: connections }, ask));
  times.length = 0;
  const before = processUse(contender.pid);
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() - startedAt < ms) await ask();
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = processUse(contender.pid).cpuSeconds - before.cpuSeconds;
  await pool.close();
  return { perSecond: times.length / seconds, medianMs: median(times), cpuMicros: (cpu / times.length) * 1e6, failed };
}

/** Time to the first byte of a reply, one request after another. */
export async function measureFirstByte(contender: Contender, count: number, isStream: boolean): Promise<number[]> {
  const pool = new Pool(contender.url, { connections: 1 });
  const text = body(isStream ? { stream: true, chunks: 5 } : {});
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const startedAt = performance.now();
    const { statusCode, body: reply } = await pool.request(call(contender, text));
    if (statusCode !== 200) {
      await reply.dump();
      continue;
    }
    let isFirst = true;
    for await (const _ of reply) {
      if (isFirst) times.push(performance.now() - startedAt);
      isFirst = false;
    }
  }
  await pool.close();
  return times;
}

export interface Streams {
  chunksPerSecond: number;
  lagMedianMs: number;
  lag99Ms: number;
  cpuMicrosPerChunk: number;
}

/** Many streams at once, each a chunk every 20 ms. */
export async function measureStreams(contender: Contender, count: number, chunks: number): Promise<Streams> {
  const pool = new Pool(contender.url, { connections: count });
  const text = body({ stream: true, pace: 20, chunks });
  const lags: number[] = [];
  const before = processUse(contender.pid);
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: count }, async () => {
      const { statusCode, body: reply } = await pool.request(call(contender, text));
      if (statusCode !== 200) throw new Error(`${contender.name} answered a stream with ${statusCode}`);
      for await (const part of reply) {
        for (const [, sent] of String(part).matchAll(/@(\d+(?:\.\d+)?)/g))
          lags.push(Math.max(0, Date.now() - Number(sent)));
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = processUse(contender.pid).cpuSeconds - before.cpuSeconds;
  await pool.close();
  return {
    chunksPerSecond: lags.length / seconds,
    lagMedianMs: median(lags),
    lag99Ms: percentile(lags, 0.99),
    cpuMicrosPerChunk: (cpu / lags.length) * 1e6,
  };
}
