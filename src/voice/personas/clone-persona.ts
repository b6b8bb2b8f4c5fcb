import type { z } from "zod";
import { turnOf } from "../../accounts/turn-of.ts";
import { Problem } from "../../platform/errors.ts";
import type { JobQueue } from "../../ports/job-queue.ts";
import type { SpeechEngine } from "../../ports/speech-engine.ts";
import type { Vault } from "../../ports/vault.ts";
import type { VoiceCloner } from "../../ports/voice-cloner.ts";
import { type ClipParts, checkClip } from "./check-clip.ts";
import { getCloner } from "./preview-clone.ts";
import { describePersona } from "./save-persona.ts";
import type { newClone } from "./schema.ts";
import type { PersonaRow, PersonaStore } from "./store.ts";

export const CLONE_JOB = "persona-clone";

/** Names only: the clip is under seal. */
export interface CloneJob {
  readonly personaId: string;
  readonly workspaceId: string;
}

export interface CloneParts {
  readonly speech: SpeechEngine;
  readonly personas: PersonaStore;
  readonly vault: Vault;
  readonly jobs: JobQueue;
  readonly cloner?: VoiceCloner | undefined;
}

/** Takes a clip in: checks it, seals it, and leaves the building to a job. */
export async function clonePersona(
  parts: CloneParts,
  clipParts: ClipParts,
  wanted: z.output<typeof newClone>,
  owner: { workspaceId: string; keyId: string; nowMs: number; flow: string },
  signal: AbortSignal,
): Promise<PersonaRow> {
  if (!wanted.file)
    throw new Problem("invalid_request", '"file" is required: a clip of 3 to 40 seconds to clone from.');
  if (wanted.base_voice) throw new Problem("invalid_request", '"base_voice" cannot be set: a clone has its own voice.');
  getCloner(parts.cloner);
  const described = describePersona(parts.speech, wanted, owner);
  const turn = { key: turnOf(owner), flow: owner.flow };
  const { samples, durationMs } = await checkClip(clipParts, wanted.file.bytes, turn, signal);
  const clip = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  await parts.vault.create(described.id);
  const sealedClip = Buffer.from(await parts.vault.seal(described.id, clip)).toString("base64");
  const consent = wanted.consent?.trim() ? { consentBy: wanted.consent, consentAt: new Date(owner.nowMs) } : {};
  const row = {
    ...described,
    kind: "clone" as const,
    status: "processing" as const,
    durationMs,
    sealedClip,
    ...consent,
  };
  return parts.personas.transaction(async (within) => {
    const inserted = await parts.personas.insert(row, within);
    const payload: CloneJob = { personaId: row.id, workspaceId: owner.workspaceId };
    await parts.jobs.enqueue({ kind: CLONE_JOB, payload, workspaceId: owner.workspaceId, turnOf: owner.keyId, within });
    return inserted;
  });
}
