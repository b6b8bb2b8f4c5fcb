import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Log } from "../../platform/log.ts";
import type { Database, Queries } from "../../ports/database.ts";
import { noticeSilence } from "./notice-silence.ts";
import { primaryClient, splitHosts } from "./primary-client.ts";

const reconnectMs = 1000;

/** A pool for queries and, once somebody listens, one connection of its own for notifications. */
export async function openPostgres(url: string, log: Log): Promise<Database> {
  const Client = primaryClient(url);
  const pool = new pg.Pool({ Client, max: 10, connectionTimeoutMillis: 10_000, keepAlive: true });
  noticeSilence(pool, log);
  // An idle connection that the server drops is replaced at the next query; without a listener it would end the process.
  pool.on("error", (error) => log.warn({ error: error.message }, "database connection lost"));
  await refuseOld(pool, splitHosts(url).length).catch(async (error) => {
    await pool.end();
    throw error;
  });
  const listeners = new Map<string, (payload: string) => void>();
  let listening: pg.Client | undefined;
  let isClosed = false;
  let isReconnecting = false;

  async function connectListener(): Promise<void> {
    const client = new Client({ keepAlive: true });
    client.on("notification", ({ channel, payload }) => listeners.get(channel)?.(payload ?? ""));
    client.on("error", () => {});
    client.once("end", () => {
      listening = undefined;
      reconnectLater();
    });
    await client.connect();
    for (const channel of listeners.keys()) await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    listening = client;
  }

  /** Until it works: a server that restarts refuses connections for a while. */
  function reconnectLater(): void {
    if (isClosed || isReconnecting) return;
    isReconnecting = true;
    setTimeout(() => {
      isReconnecting = false;
      connectListener().catch(reconnectLater);
    }, reconnectMs).unref();
  }

  return {
    kind: "postgres",
    queries: drizzle({ client: pool }) as unknown as Queries,
    async listen(channel, onNotify) {
      listeners.set(channel, onNotify);
      if (listening) await listening.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      else await connectListener();
    },
    async notify(channel, payload) {
      await pool.query("SELECT pg_notify($1, $2)", [channel, payload]);
    },
    async close() {
      isClosed = true;
      await listening?.end();
      await pool.end();
    },
  };
}

/** Each try is at the next of the servers. */
async function refuseOld(pool: pg.Pool, tries: number): Promise<void> {
  const asked = pool.query<{ server_version_num: string }>("SHOW server_version_num");
  const { rows } = await asked.catch((error) => {
    if (tries <= 1) throw error;
    return { rows: [] };
  });
  if (rows.length === 0) return refuseOld(pool, tries - 1);
  if (Number(rows[0]?.server_version_num) < 150_000) {
    throw new Error("the PostgreSQL server is older than version 15");
  }
}
