import type { SpokenLanguage, Voice } from "../../ports/speech-engine.ts";
import type { Speaker } from "./tell-speakers.ts";

/** Between the usual pitch of men and that of women. */
const HIGH_FROM_HZ = 155;

/** A voice for each speaker: the named one for whoever speaks first, and for the others, and where none was named, the first free
 *  voice that is as high or low as theirs. Where there are too few, voices are shared. */
export function chooseVoices(
  language: SpokenLanguage,
  speakers: readonly Speaker[],
  named: string | undefined,
): string[] {
  const taken: string[] = [];
  for (const [index, { medianHz }] of speakers.entries()) {
    const isHigh = medianHz === undefined ? undefined : medianHz >= HIGH_FROM_HZ;
    const fits = (voice: Voice) => isHigh === undefined || isHighVoice(voice) === isHigh;
    const free = language.voices.filter(({ id }) => !taken.includes(id));
    const voice =
      index === 0 && named !== undefined
        ? named
        : (free.find(fits) ?? free[0] ?? language.voices.find(fits) ?? language.voices[0]!).id;
    taken.push(voice);
  }
  return taken;
}

/** The catalog says so in the label, or in the second letter of the id: "ef_dora", "im_nicola". */
function isHighVoice({ id, label }: Voice): boolean {
  if (/\bfemale\b/i.test(label)) return true;
  if (/\bmale\b/i.test(label)) return false;
  return /^.f_/.test(id);
}
