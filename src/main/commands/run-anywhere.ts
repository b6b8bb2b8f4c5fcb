import type { KeyVault } from "../../adapters/vault/key-vault.ts";
import { Problem } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import { publicUrlOf, type Settings, usesPostgres } from "../../platform/settings/settings.ts";
import { callOwner } from "../admin-socket.ts";
import { FolderInUse, requireDataFolder } from "../data-folder.ts";
import type { OpenDatabase, Purpose } from "../infrastructure.ts";

const patienceMs = 60_000;

/** Inside the server that runs in this data folder, else here. Waits for a server that is still starting and for
 *  another command that has the database just now. */
export async function runAnywhere(settings: Settings, name: string, input: object): Promise<unknown> {
  const until = Date.now() + patienceMs;
  for (;;) {
    try {
      return await runOnce(settings, name, input);
    } catch (error) {
      const isBusy = error instanceof FolderInUse || (error instanceof Problem && error.kind === "service_unavailable");
      if (!isBusy || Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 100));
    }
  }
}

async function runOnce(settings: Settings, name: string, input: object): Promise<unknown> {
  const answer = await callOwner(settings.storage.dataDir, name, input);
  if (answer) return answer.result;
  if (!usesPostgres(settings)) requireDataFolder(settings.storage.dataDir);
  const opened = await openHere(settings, name === "restore" ? "restore" : "use");
  const { runAdminCommand } = await import("./admin-commands.ts");
  const { openInstallationKey } = await import("../../adapters/vault/installation-key.ts");
  const { readRoutingSeed } = await import("../../gateway/routing/read-seed.ts");
  const { openKeyVault } = await import("../../adapters/vault/key-vault.ts");
  let vault: Promise<KeyVault> | undefined;
  const openVault = () => {
    vault ??= openKeyVault(settings.storage.dataDir);
    return vault;
  };
  try {
    return await runAdminCommand(name, input, {
      queries: opened.database.queries,
      flushUsage: async () => {},
      vault: openVault,
      secrets: () => openInstallationKey(settings.storage.dataDir, settings.storage.masterKey),
      // A server elsewhere looks at the database by itself.
      routing: { seed: readRoutingSeed(settings), changed: async () => {} },
      publicUrl: () => publicUrlOf(settings),
    });
  } finally {
    await vault?.then(
      (open) => open.close(),
      () => {},
    );
    await opened.close();
  }
}

/** Imported late: a command that the server answers needs no database code of its own and starts at once. */
export async function openHere(settings: Settings, purpose: Purpose): Promise<OpenDatabase> {
  const { openDatabase } = await import("../infrastructure.ts");
  const refuse = async () => {
    throw new Problem("service_unavailable", "Another command is using the database. Try again in a moment.");
  };
  return openDatabase(settings, silentLog, refuse, purpose);
}
