import type { z } from "zod";
import type { KeyVault } from "../../adapters/vault/key-vault.ts";
import type { By } from "../../audit/audit.ts";
import type { RoutingSeed } from "../../gateway/routing/read-routing.ts";
import { parseWith } from "../../platform/http/validate.ts";
import type { Queries } from "../../ports/database.ts";
import type { Secrets } from "../../ports/secrets.ts";

export interface AdminContext {
  queries: Queries;
  /** Brings buffered usage records into the database, so that a question sees them. */
  flushUsage(): Promise<void>;
  /** The data keys of this data folder. */
  vault(): Promise<KeyVault>;
  /** What stored secrets are sealed with. */
  secrets(): Secrets;
  routing: {
    /** What the settings say about upstreams. */
    seed: RoutingSeed;
    /** Lets the running server, if there is one, take in what was changed. */
    changed(): Promise<void>;
  };
  /** Where the dashboard's links lead. */
  publicUrl(): string;
  /** The admin key that asks, and from where; absent for the command line. */
  by?: By;
}

export type AdminCommand = (input: unknown, context: AdminContext) => Promise<unknown>;

export function command<Schema extends z.ZodType>(
  schema: Schema,
  run: (input: z.output<Schema>, context: AdminContext) => Promise<unknown>,
): AdminCommand {
  return async (input, context) => run(parseWith(schema, input, "The command"), context);
}
