import { Pool } from "undici";
import { processUse, startParlance, startUpstream, stopAll } from "./contenders.ts";

/**
 * Resident memory of the gateway over many metered requests. Holds on a busy machine, too.
 *
 *   npx tsx bench/gateway/memory.ts [requests]
 */
const total = Number(process.argv[2] ?? 100_000);
const parts = 10;
const connections = 50;

try {
  const upstream = await startUpstream();
  const parlance = await startParlance(upstream.url);
  const pool = new Pool(parlance.url, { connections });
  const headers = { ...parlance.headers, "content-type": "application/json" };
  const body = JSON.stringify({ model: "acme/chat", max_tokens: 50, messages: [{ role: "user", content: "hi" }] });
  const sizes: number[] = [];
  console.log(`before the first request: ${processUse(parlance.pid).rssMb.toFixed(0)} MB`);
  let asked = 0;
  for (let part = 1; part <= parts; part++) {
    const asks = async () => {
      while (asked < (total * part) / parts) {
        asked += 1;
        const reply = await pool.request({ method: "POST", path: parlance.path, headers, body });
        await reply.body.dump();
        if (reply.statusCode !== 200) throw new Error(`the gateway answered ${reply.statusCode}`);
      }
    };
    await Promise.all(Array.from({ length: connections }, asks));
    sizes.push(processUse(parlance.pid).rssMb);
    console.log(`${asked} requests: ${sizes.at(-1)!.toFixed(0)} MB`);
  }
  await pool.close();
  const early = Math.max(...sizes.slice(1, 4));
  const late = Math.max(...sizes.slice(-3));
  console.log(`ratio of the last requests to the first: ${(late / early).toFixed(2)} (flat is at most 1.10)`);
} finally {
  stopAll();
}
