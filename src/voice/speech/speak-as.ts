import { Problem } from "../../platform/errors.ts";
import type { SpeechEngine } from "../../ports/speech-engine.ts";
import type { ClonedVoice } from "../../ports/voice-cloner.ts";
import { getLanguage } from "./find-voice.ts";
import type { SpeechWanted } from "./synthesize.ts";
import { mannerOf } from "./tones.ts";

/** What a persona brings along. */
export interface PersonaVoice {
  readonly id: string;
  readonly language: string;
  /** Undefined for the language's first voice, and for clones. */
  readonly voice: string | undefined;
  readonly tone: string | null;
  readonly style: string | null;
  readonly clone: ClonedVoice | undefined;
}

/** Finds a persona of a workspace and notes that it was used. Throws `invalid_request` for one that is unknown or another's,
 *  `conflict` for one that is not ready. */
export type UsePersona = (id: string, workspaceId: string) => Promise<PersonaVoice>;

/** What a request says itself; where it is silent, the persona speaks for it. */
export interface SpokenHow {
  readonly voice?: string | undefined;
  readonly language?: string | undefined;
  readonly tone?: string | null | undefined;
  readonly style?: string | null | undefined;
}

type Spoken = Pick<SpeechWanted, "language" | "voice" | "clone" | "manner">;

/** Joins a request with its persona: a field of the request wins over the persona's. */
export function speakAs(engine: SpeechEngine, persona: PersonaVoice | undefined, given: SpokenHow): Spoken {
  const manner = mannerOf(given.tone ?? persona?.tone, given.style ?? persona?.style);
  const language = given.language || persona?.language;
  if (!persona || given.voice) return { language, voice: given.voice, manner };
  if (persona.clone) return { language, clone: persona.clone, manner };
  // In a language that the persona's voice does not speak, that language's own first voice does.
  const spoken = getLanguage(engine.languages(), language!);
  const isSpoken = spoken.voices.some(({ id }) => id === persona.voice);
  return { language, voice: isSpoken ? persona.voice : undefined, manner };
}

/** The persona that a request names, if it names one. */
export async function findPersona(
  usePersona: UsePersona | undefined,
  id: string | undefined,
  workspaceId: string,
): Promise<PersonaVoice | undefined> {
  if (id === undefined) return undefined;
  if (!usePersona) throw new Problem("invalid_request", `There is no persona "${id.slice(0, 80)}".`);
  return usePersona(id, workspaceId);
}
