import { z } from "zod";
import { type AudioChunk, joinSamples } from "../../../audio/pcm.ts";
import { summarizePitch, toSemitones, trackPitch } from "../../../audio/pitch.ts";
import { resample } from "../../../audio/resample.ts";
import { Problem } from "../../../platform/errors.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import type { SpeechEngine, SpeechRequest } from "../../../ports/speech-engine.ts";
import { HEARING_RATE_HZ } from "../../../ports/voice-activity.ts";
import type { ClonedVoice, CloneRequest, VoiceCloner } from "../../../ports/voice-cloner.ts";
import { likeness, type VoicePrinter } from "../../../ports/voice-printer.ts";
import { SPEAKER_NUMBERS } from "../piper/files.ts";
import { PIPER_MODEL } from "../piper/piper.ts";
import { type Matching, matchSound, measureSound } from "./match-sound.ts";
import { refineSpeaker } from "./refine-speaker.ts";
import { readVoiceMap, type Sound, sound, VOICE_MAP_MODEL, type VoiceMap } from "./voice-map.ts";

export interface LocalClonerParts {
  readonly models: ModelStore;
  /** That of this machine: it takes speaker vectors. */
  readonly speech: SpeechEngine;
  readonly printer: VoicePrinter;
}

const NAME = "local";
/** What new speakers say when they are listened to: many sounds in few seconds. How high a voice lies depends on what it says, so
 *  its pitch is taken from all of them; together they lie within 0.1 semitones of fourteen sentences of others. */
const TRIALS = [
  "A warm wind blew over the old town, and we could hear music from the square.",
  "Nobody was surprised when the letter came, but nobody had expected so much of it.",
  "On Tuesday the second bus was late again, so they walked home along the river.",
];
/** How often a clone is corrected: each time costs three times five seconds of speech. */
const ROUNDS = { quick: 0, thorough: 1 } as const;
/** More than this is a mistake of the measurement: an octave, or noise. */
const MOST_CORRECTED = 2;
/** Only English has speakers that can be made anew. */
const CLONED = "en";

const voiceData = z.object({
  speaker: z.array(z.number()).length(SPEAKER_NUMBERS),
  print: z.array(z.number()),
  /** How the person sounds, and how their speaker does before it is matched. */
  wanted: sound,
  own: sound,
  /** Voices that were made before it was measured have none. */
  correctionSemitones: z.number().optional(),
});

/** Clones into the space of Piper's 904 English speakers: print, map, correct, then match pitch and colour. In other languages the
 *  trained voice with the nearest print speaks, with pitch and colour matched. */
export function createLocalCloner({ models, speech, printer }: LocalClonerParts): VoiceCloner {
  let reading: Promise<VoiceMap> | undefined;
  const readMap = () => {
    reading ??= readVoiceMap(models.folder(VOICE_MAP_MODEL)).catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
  const missing = () => models.missing(VOICE_MAP_MODEL) ?? models.missing(PIPER_MODEL) ?? printer.missing();
  const isCloned = (language: string) => language.split("-")[0] === CLONED;

  return { name: NAME, missing, match: (language) => (isCloned(language) ? "voice" : "nearest"), clone, speak };

  async function clone(request: CloneRequest, signal: AbortSignal): Promise<ClonedVoice> {
    const reason = missing();
    if (reason) throw new Problem("engine_unavailable", reason);
    const turn = { key: request.key, flow: request.flow };
    const { toSpeaker } = await readMap();
    const print = (samples: Float32Array) => printer.print({ samples, ...turn }, signal);
    const middle = request.samples.length >> 1;
    const speaker = await refineSpeaker({
      whole: await print(request.samples),
      halves: [await print(request.samples.slice(0, middle)), await print(request.samples.slice(middle))],
      rounds: ROUNDS[request.effort],
      toSpeaker,
      listen: async (vector) => {
        const { samples, sampleRateHz } = await tryOut(vector, TRIALS.slice(0, 1), turn, signal);
        return print(resample(samples, sampleRateHz, HEARING_RATE_HZ));
      },
    });
    const spoken = await tryOut(speaker, TRIALS, turn, signal);
    const own = measureSound(spoken.samples, spoken.sampleRateHz);
    const wanted = measureSound(request.samples, HEARING_RATE_HZ);
    if (!own || !wanted) {
      throw new Problem("unprocessable_audio", "The clip has too little voice in it to be cloned.");
    }
    const data = {
      speaker: Array.from(speaker, (value) => Number(value.toFixed(5))),
      print: Array.from(await print(request.samples), (value) => Number(value.toFixed(5))),
      wanted,
      own,
      correctionSemitones: -pitchLeft(spoken, own, wanted),
    } satisfies z.infer<typeof voiceData>;
    return { maker: NAME, data };
  }

  async function* speak(request: SpeechRequest, voice: ClonedVoice, signal: AbortSignal) {
    if (voice.maker !== NAME) {
      throw new Problem("engine_unavailable", `This voice was made by another cloner ("${voice.maker}").`);
    }
    const { speaker, print, wanted, own, correctionSemitones } = voiceData.parse(voice.data);
    const { clone: _, ...plain } = request;
    if (isCloned(request.language)) {
      const spoken = { ...plain, voice: firstVoice(request.language), speaker: Float32Array.from(speaker) };
      yield* matched(speech.speak(spoken, signal), { own, wanted, correctionSemitones }, request.isStreamed);
      return;
    }
    const nearest = await findNearest(request.language, Float32Array.from(print));
    const matching = nearest.sound && { own: nearest.sound, wanted };
    yield* matched(speech.speak({ ...plain, voice: nearest.id }, signal), matching, request.isStreamed);
  }

  async function findNearest(language: string, print: Float32Array): Promise<{ id: string; sound: Sound | undefined }> {
    const { stock } = await readMap();
    const voices = speech.languages().find(({ code }) => code === language)?.voices ?? [];
    const known = voices.flatMap(({ id }) => {
      const voice = stock.get(id);
      return voice ? [{ id, sound: voice, likeness: likeness(print, Float32Array.from(voice.print)) }] : [];
    });
    const best = known.sort((a, b) => b.likeness - a.likeness)[0];
    return best ?? { id: firstVoice(language), sound: undefined };
  }

  function firstVoice(language: string): string {
    const voice = speech.languages().find(({ code }) => code === language)?.voices[0];
    if (!voice) throw new Problem("invalid_request", `There is no voice for "${language}".`);
    return voice.id;
  }

  async function tryOut(
    speaker: Float32Array,
    texts: readonly string[],
    turn: { key: string; flow: string },
    signal: AbortSignal,
  ) {
    const language = speech.languages().find(({ code }) => isCloned(code));
    if (!language) throw new Problem("engine_unavailable", models.missing(PIPER_MODEL) ?? "No English voice is here.");
    const parts: Float32Array[] = [];
    for (const text of texts) {
      const request = { text, language: language.code, voice: language.voices[0]!.id, speed: 1, speaker, ...turn };
      for await (const { samples } of speech.speak(request, signal)) parts.push(samples);
    }
    return { samples: joinSamples(parts), sampleRateHz: speech.sampleRateHz(language.code) };
  }
}

async function* matched(
  chunks: AsyncIterable<AudioChunk>,
  matching: Matching | undefined,
  isStreamed = false,
): AsyncGenerator<AudioChunk> {
  for await (const { samples, sampleRateHz } of chunks) {
    yield { samples: matching ? matchSound(samples, sampleRateHz, matching, !isStreamed) : samples, sampleRateHz };
  }
}

/** How far the pitch is still off, in semitones, after what was spoken was matched. */
function pitchLeft({ samples, sampleRateHz }: AudioChunk, own: Sound, wanted: Sound): number {
  const reached = summarizePitch(trackPitch(matchSound(samples, sampleRateHz, { own, wanted }), sampleRateHz));
  const left = reached ? toSemitones(reached.medianHz / wanted.medianHz) : 0;
  return Math.max(-MOST_CORRECTED, Math.min(MOST_CORRECTED, Number(left.toFixed(2))));
}
