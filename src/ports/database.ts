import type { NodePgQueryResultHKT } from "drizzle-orm/node-postgres";
import type { PgDatabase } from "drizzle-orm/pg-core";

/** The query layer that every store uses, inside a transaction or not. One dialect: PostgreSQL 15 or newer.
 *  Of a raw `execute` only `rows` may be used: the embedded database counts affected rows differently. */
export type Queries = PgDatabase<NodePgQueryResultHKT, Record<string, never>>;

export interface Database {
  readonly kind: "embedded" | "postgres";
  /** Acknowledged writes survive a crash of this process and of the machine. */
  readonly queries: Queries;
  /** Calls back when any process sharing the database notifies the channel. Delivery is best effort: poll as well. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<void>;
  notify(channel: string, payload: string): Promise<void>;
  close(): Promise<void>;
}
