import type { Socket } from "node:net";
import pg from "pg";
import type { Log } from "../../platform/log.ts";

/** A query is answered in milliseconds, and the few that take longer are asked about. Guess. */
const silentMs = 5000;
/** A server that lives takes a connection and answers it in a fraction of this. Guess. */
const answerMs = 3000;

/** Breaks connections in use whose server is gone without a farewell, as after a power cut or behind a broken network: the kernel
 *  alone would wait for a quarter of an hour. Whoever waits for an answer then learns that the database is down. */
export function noticeSilence(pool: pg.Pool, log: Log): void {
  const asking = new Map<string, Promise<boolean>>();
  const watched = new WeakSet<Socket>();
  const inUse = new WeakSet<Socket>();

  pool.on("acquire", (client) => {
    const stream = streamOf(client);
    inUse.add(stream);
    stream.setTimeout(silentMs);
    if (watched.has(stream)) return;
    watched.add(stream);
    stream.on("timeout", () => void look(client, stream));
  });
  pool.on("release", (_error, client) => {
    const stream = streamOf(client);
    inUse.delete(stream);
    stream.setTimeout(0);
  });

  async function look(client: pg.PoolClient, stream: Socket): Promise<void> {
    const { address } = client as pg.PoolClient & { address: string };
    const asked = asking.get(address) ?? answers(address);
    asking.set(address, asked);
    const isThere = await asked;
    asking.delete(address);
    // It has answered meanwhile.
    if (!inUse.has(stream)) return;
    // It works on something long: look again later.
    if (isThere) return void stream.setTimeout(silentMs);
    log.warn({}, "the database has fallen silent");
    stream.destroy();
  }

  /** Whether the same server still answers somebody new. */
  async function answers(connectionString: string): Promise<boolean> {
    const limits = { connectionTimeoutMillis: answerMs, query_timeout: answerMs };
    const probe = new pg.Client({ connectionString, ...limits });
    probe.on("error", () => {});
    try {
      await probe.connect();
      await probe.query("SELECT 1");
      return true;
    } catch {
      return false;
    } finally {
      streamOf(probe).destroy();
    }
  }
}

/** The driver does not name it in its types. */
function streamOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
