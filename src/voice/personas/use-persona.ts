import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/errors.ts";
import type { Vault } from "../../ports/vault.ts";
import type { ClonedVoice } from "../../ports/voice-cloner.ts";
import type { UsePersona } from "../speech/speak-as.ts";
import type { PersonaRow, PersonaStore } from "./store.ts";

export interface UsePersonaParts {
  readonly personas: PersonaStore;
  readonly vault: Vault;
  readonly clock: Clock;
}

/** How the rest of the platform (speech, sockets, calls) comes by a persona's voice. */
export function createPersonaUse({ personas, vault, clock }: UsePersonaParts): UsePersona {
  return async (id, workspaceId) => {
    const row = isPersonaId(id) ? await personas.find(workspaceId, id) : undefined;
    if (!row) throw new Problem("invalid_request", `There is no persona "${id.slice(0, 80)}".`);
    if (row.status === "processing") {
      throw new Problem("conflict", `The persona "${id}" is still being built. Try again when its status is ready.`);
    }
    if (row.status === "failed") {
      throw new Problem("conflict", `The persona "${id}" could not be built: ${row.statusReason ?? "unknown reason"}`);
    }
    await personas.update(workspaceId, id, { lastUsedAt: new Date(clock.now()) });
    return {
      id,
      language: row.language,
      voice: row.baseVoice ?? undefined,
      tone: row.tonePreset,
      style: row.styleText,
      clone: row.kind === "clone" ? await readVoice(row, vault) : undefined,
    };
  };
}

/** What cannot be an id is not looked for: the database refuses zero bytes. */
export function isPersonaId(id: string): boolean {
  return /^p_\w{1,64}$/.test(id);
}

async function readVoice({ id, sealedVoice }: PersonaRow, vault: Vault): Promise<ClonedVoice> {
  try {
    const voice = await vault.open(id, Buffer.from(sealedVoice ?? "", "base64"));
    return JSON.parse(Buffer.from(voice).toString("utf8")) as ClonedVoice;
  } catch (cause) {
    throw new Problem("engine_unavailable", `The voice of the persona "${id}" cannot be opened on this server.`, {
      cause,
    });
  }
}
