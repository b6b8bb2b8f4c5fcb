import type { z } from "zod";
import type { Vault } from "../../ports/vault.ts";
import type { VoiceCloner } from "../../ports/voice-cloner.ts";
import type { persona } from "./schema.ts";
import type { PersonaRow } from "./store.ts";

export interface PresentParts {
  readonly vault: Vault;
  readonly cloner?: VoiceCloner | undefined;
}

/** A persona as replies show it. */
export async function presentPersona(
  row: PersonaRow,
  { vault, cloner }: PresentParts,
): Promise<z.input<typeof persona>> {
  const isClone = row.kind === "clone";
  return {
    id: row.id,
    name: row.name,
    engine: row.engine,
    kind: row.kind,
    baseVoice: row.baseVoice,
    refText: await readRefText(row, vault),
    ...(row.refTextReason ? { refTextReason: row.refTextReason } : {}),
    durationMs: row.durationMs,
    tonePreset: row.tonePreset,
    styleText: row.styleText,
    language: row.language,
    status: row.status,
    ...(row.statusReason ? { statusReason: row.statusReason } : {}),
    ...(isClone && cloner ? { match: cloner.match(row.language) } : {}),
    ...(row.consentBy && row.consentAt ? { consent: { by: row.consentBy, at: row.consentAt.toISOString() } } : {}),
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}

async function readRefText({ id, sealedRefText }: PersonaRow, vault: Vault): Promise<string | null> {
  if (!sealedRefText) return null;
  // A persona whose key is gone can still be listed, and removed.
  const text = await vault.open(id, Buffer.from(sealedRefText, "base64")).catch(() => undefined);
  return text ? Buffer.from(text).toString("utf8") : null;
}
