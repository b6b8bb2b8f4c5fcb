import { Pool } from "undici";
import type { Parlance } from "./contenders.ts";
import { processUse } from "./process-use.ts";

const parts = 10;
const connections = 50;

/** Resident megabytes of the gateway after each tenth of many metered requests. Holds on a busy machine, too. */
export async function measureMemory(parlance: Parlance, total: number): Promise<{ sizes: number[]; ratio: number }> {
  const pool = new Pool(parlance.url, { connections });
  const headers = { ...parlance.headers, "content-type": "application/json" };
  const body = JSON.stringify({ model: "acme/chat", max_tokens: 50, messages: [{ role: "user", content: "hi" }] });
  const sizes: number[] = [];
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
  }
  await pool.close();
  return { sizes, ratio: Math.max(...sizes.slice(-3)) / Math.max(...sizes.slice(1, 4)) };
}
