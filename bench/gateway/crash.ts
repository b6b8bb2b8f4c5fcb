import { Pool } from "undici";
import { formatDollars, parseDollars } from "../../src/credits/money.ts";
import { type Parlance, startParlance, startUpstream, stopAll } from "./contenders.ts";
import { price } from "./money.ts";

/**
 * Kills the gateway under load, again and again, and compares what its clients were answered with what its next start has on
 * record: no request that was answered may be free, and none may be charged that was not sent.
 *
 *   npm run bench -- gateway/crash [rounds]
 */
const rounds = Number(process.argv[2] ?? 8);
const connections = 50;
const body = JSON.stringify({ model: "acme/chat", max_tokens: 100, messages: [{ role: "user", content: "hi" }] });
let sent = 0;
let answered = 0;

/** Asks as fast as it can until the server is no more. */
async function askUntilKilled(parlance: Parlance, afterMs: number): Promise<void> {
  const pool = new Pool(parlance.url, { connections });
  const headers = { ...parlance.headers, "content-type": "application/json" };
  setTimeout(() => process.kill(parlance.pid, "SIGKILL"), afterMs);
  const ask = async () => {
    for (;;) {
      sent += 1;
      const reply = await pool.request({ method: "POST", path: parlance.path, headers, body });
      if (reply.statusCode !== 200) throw new Error(`the gateway answered ${reply.statusCode}`);
      answered += 1;
      await reply.body.dump();
    }
  };
  await Promise.allSettled(Array.from({ length: connections }, ask));
  await pool.destroy();
}

async function check(parlance: Parlance, round: number): Promise<void> {
  const get = async (path: string) => (await fetch(`${parlance.url}${path}`, { headers: parlance.headers })).json();
  const { totals } = (await get("/v1/report?group_by=model&start_date=2000-01-01")) as { totals: { requests: number } };
  const { lifetime_spend: spend } = (await get("/v1/credits")) as { lifetime_spend: string };
  const audit = (await parlance.admin("credits audit", {})) as { verdict: string }[];
  const isExact =
    parseDollars(spend) === price * BigInt(totals.requests) && audit.every((one) => one.verdict === "right");
  const isRight = isExact && totals.requests >= answered && totals.requests <= sent;
  console.log(
    `round ${round}: ${sent} sent, ${answered} answered, ${totals.requests} charged with ${formatDollars(parseDollars(spend))} in all: ${isRight ? "right" : "WRONG"}`,
  );
  if (!isRight) process.exitCode = 1;
}

try {
  const upstream = await startUpstream();
  let parlance = await startParlance(upstream.url);
  for (let round = 1; round <= rounds; round++) {
    await askUntilKilled(parlance, 700 + Math.random() * 1800);
    parlance = await startParlance(upstream.url, parlance);
    await check(parlance, round);
  }
} finally {
  stopAll();
}
