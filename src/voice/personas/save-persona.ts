import type { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { SpeechEngine } from "../../ports/speech-engine.ts";
import { getLanguage, getVoice } from "../speech/find-voice.ts";
import { checkTone } from "../speech/tones.ts";
import type { newPersona, personaChange } from "./schema.ts";
import type { NewPersona, PersonaRow } from "./store.ts";

/** The row of a new persona. Throws a 400 for a language, voice or tone that does not exist. */
export function describePersona(
  engine: SpeechEngine,
  wanted: z.output<typeof newPersona>,
  owner: { workspaceId: string; nowMs: number },
): NewPersona {
  checkTone(wanted.tone_preset);
  const language = getLanguage(engine.languages(), wanted.language);
  return {
    id: newId("p_"),
    workspaceId: owner.workspaceId,
    name: wanted.name,
    kind: "engine_a",
    engine: language.engine,
    language: language.code,
    baseVoice: wanted.base_voice ? getVoice(language, wanted.base_voice) : null,
    tonePreset: wanted.tone_preset ?? null,
    styleText: wanted.style_text ?? null,
    status: "ready",
    createdAt: new Date(owner.nowMs),
  };
}

/** What a change makes of a persona; what it does not name stays. */
export function changePersona(
  engine: SpeechEngine,
  row: PersonaRow,
  change: z.output<typeof personaChange>,
): Partial<NewPersona> {
  checkTone(change.tone_preset);
  if (change.base_voice && row.kind === "clone") {
    throw new Problem("invalid_request", '"base_voice" cannot be set: this persona has a cloned voice.');
  }
  const values: Partial<NewPersona> = {};
  if (change.name !== undefined) values.name = change.name;
  if (change.tone_preset !== undefined) values.tonePreset = change.tone_preset;
  if (change.style_text !== undefined) values.styleText = change.style_text;
  if (change.language !== undefined || change.base_voice !== undefined) {
    const language = getLanguage(engine.languages(), change.language ?? row.language);
    const voice = change.base_voice === undefined ? row.baseVoice : change.base_voice;
    values.language = language.code;
    values.engine = language.engine;
    values.baseVoice = voice ? getVoice(language, voice) : null;
  }
  return values;
}
