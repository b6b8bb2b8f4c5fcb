import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Secrets } from "../../ports/secrets.ts";
import { KEY_BYTES } from "./key-file.ts";
import { openWith, sealWith } from "./seal.ts";

/** Protects what must survive a restore, such as the secrets of second factors: one key for the whole installation, on all of its
 *  servers, which is never destroyed. */
export interface InstallationKey extends Secrets {
  /** Finds the same bytes again in the same workspace, and tells nobody else what they are. */
  digest(workspaceId: string, bytes: Uint8Array): string;
  /** For what crosses the bus. */
  readonly transportKey: Uint8Array;
}

const fileName = "installation-key";
const sealedPrefix = "sealed1:";

/** Made of SVC_MASTER_KEY, or of a file that the first start makes. What the file's key sealed stays readable when a master key is
 *  set later. */
export function openInstallationKey(dataDir: string, masterKey: string | undefined): InstallationKey {
  const path = installationKeyPath(dataDir);
  if (!masterKey && !existsSync(path)) makeFile(path);
  const own = existsSync(path) ? [readFileSync(path)] : [];
  const roots = masterKey ? [Buffer.from(masterKey), ...own] : own;
  const derive = (root: Uint8Array, purpose: string) =>
    new Uint8Array(hkdfSync("sha256", root, "parlance", purpose, KEY_BYTES));
  const [first] = roots as [Buffer, ...Buffer[]];
  return {
    seal: (purpose, secret) =>
      `${sealedPrefix}${sealWith(derive(first, purpose), Buffer.from(secret)).toString("base64")}`,
    open(purpose, sealed) {
      // Of an earlier version, on its way to be sealed.
      if (!sealed.startsWith(sealedPrefix)) return sealed;
      const bytes = Buffer.from(sealed.slice(sealedPrefix.length), "base64");
      for (const root of roots) {
        try {
          return openWith(derive(root, purpose), bytes).toString();
        } catch {
          // The next one, if there is one.
        }
      }
      return undefined;
    },
    digest: (workspaceId, bytes) =>
      createHmac("sha256", derive(first, `content:${workspaceId}`))
        .update(bytes)
        .digest("hex"),
    transportKey: derive(first, "bus"),
  };
}

export function installationKeyPath(dataDir: string): string {
  return join(dataDir, "vault", fileName);
}

/** Whole or not at all. */
function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, randomBytes(KEY_BYTES), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}
