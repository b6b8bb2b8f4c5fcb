import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkspace } from "../../src/accounts/workspaces.ts";
import { openInstallationKey } from "../../src/adapters/vault/installation-key.ts";
import { createWebhookSecrets } from "../../src/extraction/webhooks/store.ts";
import { sealFormerSecrets } from "../../src/main/seal-former-secrets.ts";
import type { Database } from "../../src/ports/database.ts";
import type { Secrets } from "../../src/ports/secrets.ts";
import { databaseKinds, openTestDatabase } from "../support/databases.ts";

describe.each(databaseKinds)("on the %s database, a secret that is used again", (kind) => {
  let database: Database;
  let secrets: Secrets;
  const folders: string[] = [];
  const newInstallation = (masterKey?: string) => {
    const folder = mkdtempSync(join(tmpdir(), "parlance-secrets-"));
    folders.push(folder);
    return openInstallationKey(folder, masterKey);
  };
  const stored = async (table: string, column: string) => {
    const { rows } = await database.queries.execute<{ value: string }>(
      sql.raw(`SELECT ${column} AS value FROM ${table}`),
    );
    return rows.map(({ value }) => value);
  };

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    secrets = newInstallation();
  });
  afterAll(async () => {
    await database?.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  it("of webhooks lies sealed, and comes back as it was", async () => {
    const { id } = await createWorkspace(database.queries, "acme");
    const webhooks = createWebhookSecrets(database.queries, secrets);
    const secret = await webhooks.get(id);
    expect(secret).toMatch(/^whsec_/);
    expect(await webhooks.get(id)).toBe(secret);
    expect((await stored("extraction_webhook_secrets", "secret"))[0]).toMatch(/^sealed1:/);
    const replaced = await webhooks.replace(id);
    expect([await webhooks.get(id), replaced === secret]).toEqual([replaced, false]);
  });

  it("of an earlier version is sealed at the start, once", async () => {
    await database.queries.execute(
      sql`INSERT INTO users (id, name, email, password_hash, totp_secret) VALUES ('u_1', 'Ada', 'ada@example.org', 'x', 'JBSWY3DPEHPK3PXP')`,
    );
    await sealFormerSecrets(database.queries, secrets);
    const [sealed] = await stored("users", "totp_secret");
    expect(sealed).toMatch(/^sealed1:/);
    expect(secrets.open("second-factor", sealed!)).toBe("JBSWY3DPEHPK3PXP");
    await sealFormerSecrets(database.queries, secrets);
    expect(await stored("users", "totp_secret")).toEqual([sealed]);
  });

  it("is of no use to another installation, nor for another purpose", async () => {
    const [sealed] = await stored("users", "totp_secret");
    expect(newInstallation().open("second-factor", sealed!)).toBeUndefined();
    expect(secrets.open("webhooks", sealed!)).toBeUndefined();
  });
});
