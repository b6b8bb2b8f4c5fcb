import { turnOf } from "../../accounts/turn-of.ts";
import { Problem } from "../../platform/errors.ts";
import type { PlatformLog } from "../../platform/log.ts";
import { KeyMissing } from "../../ports/vault.ts";
import { type HearingParts, transcribe } from "../transcription/transcribe.ts";
import { CLONE_JOB, type CloneJob, type CloneParts } from "./clone-persona.ts";

export interface BuildParts extends CloneParts {
  readonly hearing: HearingParts;
  readonly log: PlatformLog;
}

/** Builds clones from the job queue, one at a time: whoever waits for speech goes first. */
export function startBuildingClones(parts: BuildParts): void {
  parts.jobs.work<CloneJob>(CLONE_JOB, ({ payload }, signal) => buildClone(parts, payload, signal), {
    // The second clone of one workspace waits for the first of another.
    concurrency: 1,
    onFailed: ({ payload }, error) => fail(parts, payload, error),
  });
}

async function buildClone(parts: BuildParts, job: CloneJob, signal: AbortSignal): Promise<void> {
  const { personas, vault, cloner } = parts;
  const { personaId: id, workspaceId } = job;
  const row = await personas.find(workspaceId, id);
  const sealedClip = await personas.readClip(workspaceId, id);
  // Removed in the meantime, or built by a worker that died before it could say so.
  if (row?.status !== "processing" || !sealedClip) return;
  if (!cloner) throw new Problem("engine_unavailable", "No voice cloner is configured.");
  try {
    const bytes = await vault.open(id, Buffer.from(sealedClip, "base64"));
    const clip = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    const turn = { key: turnOf({ workspaceId, keyId: "persona" }), flow: id };
    const { text, reason } = await readText(parts.hearing, clip, turn.key, signal);
    const samples = Float32Array.from(clip, (sample) => sample / 32768);
    const voice = await cloner.clone({ samples, text, effort: "thorough", ...turn }, signal);
    const sealed = async (value: string) => Buffer.from(await vault.seal(id, Buffer.from(value))).toString("base64");
    await personas.update(workspaceId, id, {
      status: "ready",
      sealedVoice: await sealed(JSON.stringify(voice)),
      sealedRefText: text === undefined ? null : await sealed(text),
      refTextReason: reason ?? null,
    });
  } catch (error) {
    // Removed while it was built.
    if (error instanceof KeyMissing && !(await personas.find(workspaceId, id))) return;
    if (!(error instanceof Problem) || error.kind !== "unprocessable_audio") throw error;
    // Trying again would not help.
    await fail(parts, job, error);
  }
}

/** What is said in a clip, or why that is not known. */
async function readText(
  hearing: HearingParts,
  clip: Int16Array,
  turn: string,
  signal: AbortSignal,
): Promise<{ text?: string; reason?: string }> {
  const decoder = {
    async *decode() {
      yield clip;
    },
  };
  try {
    const wanted = { bytes: new Uint8Array(0) };
    const { text } = await transcribe({ ...hearing, decoder }, wanted, { turn }, signal);
    return text === "" ? { reason: "The clip is in no language that can be recognised here." } : { text };
  } catch (error) {
    if (signal.aborted || !(error instanceof Problem)) throw error;
    return { reason: `The clip could not be transcribed: ${error.message}` };
  }
}

async function fail({ personas, log }: BuildParts, { personaId, workspaceId }: CloneJob, error: Error): Promise<void> {
  log.warn({ persona: personaId, error: error.message }, "clone failed");
  const reason =
    error instanceof Problem ? error.message : "The voice could not be built. Try again with another clip.";
  await personas.update(workspaceId, personaId, { status: "failed", statusReason: reason });
}
