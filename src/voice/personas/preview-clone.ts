import { Problem } from "../../platform/errors.ts";
import type { ClonedVoice, VoiceCloner } from "../../ports/voice-cloner.ts";
import { type ClipParts, checkClip } from "./check-clip.ts";

/** A voice from a clip for one request; nothing is kept. Less work goes into it than into a saved persona. */
export async function previewClone(
  cloner: VoiceCloner,
  clipParts: ClipParts,
  bytes: Uint8Array,
  turn: { readonly key: string; readonly flow: string },
  signal: AbortSignal,
): Promise<ClonedVoice> {
  const { samples } = await checkClip(clipParts, bytes, turn, signal);
  const clip = Float32Array.from(samples, (sample) => sample / 32768);
  return cloner.clone({ samples: clip, text: undefined, effort: "quick", ...turn }, signal);
}

/** The cloner, or why there is none. */
export function getCloner(cloner: VoiceCloner | undefined): VoiceCloner {
  const missing = cloner ? cloner.missing() : "No voice cloner is configured.";
  if (!cloner || missing) throw new Problem("engine_unavailable", missing ?? "No voice cloner is configured.");
  return cloner;
}
