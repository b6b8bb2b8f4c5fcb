import { Pool } from "undici";
import { formatDollars, parseDollars } from "../../src/credits/money.ts";
import type { Parlance } from "./contenders.ts";

/** What one request costs: the upstream says 0.000153, and a fifth more. */
export const price = parseDollars("0.0001836");

export async function createKeyFor(parlance: Parlance): Promise<string> {
  const name = "fifty";
  await parlance.admin("workspaces create", { name });
  await parlance.admin("workspaces set-plan", { name, gateway: "PLUS" });
  await parlance.admin("credits grant", { workspace: name, amount: formatDollars(price * 50n) });
  const { key } = (await parlance.admin("keys create", { workspace: name, name, scopes: ["gateway:read"] })) as {
    key: string;
  };
  return key;
}

export async function moneyTest(parlance: Parlance, key: string): Promise<string> {
  const pool = new Pool(parlance.url, { connections: 1000 });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({
    model: "acme/chat",
    max_tokens: 100,
    messages: [{ role: "user", content: "y".repeat(480) }],
  });
  const statuses = await Promise.all(
    Array.from({ length: 1000 }, async () => {
      const reply = await pool.request({ method: "POST", path: parlance.path, headers, body });
      await reply.body.dump();
      return reply.statusCode;
    }),
  );
  const served = statuses.filter((status) => status === 200).length;
  const refused = statuses.filter((status) => status === 402).length;
  const reply = await pool.request({ method: "GET", path: "/v1/credits", headers });
  const { balance, lifetime_spend } = (await reply.body.json()) as { balance: string; lifetime_spend: string };
  await pool.close();
  const audit = (await parlance.admin("credits audit", {})) as { verdict: string }[];
  const isExact = parseDollars(balance) + parseDollars(lifetime_spend) === price * 50n && parseDollars(balance) >= 0n;
  const verdict = isExact && audit.every((one) => one.verdict === "right") ? "no overdraft, exact" : "WRONG";
  return `${served} served, ${refused} refused with 402, ${1000 - served - refused} others; left ${balance}, spent ${lifetime_spend}: ${verdict}`;
}
