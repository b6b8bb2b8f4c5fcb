import { decibelsToFactor, joinSamples, scaleSamples } from "../../audio/pcm.ts";
import type { SpeechEngine, SpeechRequest } from "../../ports/speech-engine.ts";
import { bendMelody, combineManners, keepsMelody, type Manner } from "./manner.ts";
import type { Piece } from "./split-text.ts";

/** Pieces that are synthesized before they are asked for: enough to keep a second engine child busy, and few enough that an
 *  abandoned request stops soon and a long one leaves turns to others. */
const AHEAD = 2;

const nothing = new Float32Array(0);

export interface SpokenBy extends Omit<SpeechRequest, "text"> {
  readonly manner: Manner;
}

/** Speaks pieces in order with their pauses. Ends soon after `signal` aborts or the reader leaves. */
export async function* speakPieces(
  engine: SpeechEngine,
  pieces: readonly Piece[],
  { manner, ...voice }: SpokenBy,
  signal: AbortSignal,
  options: { isUrgent?: boolean; isStreamed?: boolean } = {},
): AsyncGenerator<Float32Array> {
  const leaving = new AbortController();
  const stop = AbortSignal.any([signal, leaving.signal]);
  const sampleRateHz = engine.sampleRateHz(voice.language);
  const [first] = pieces;
  // What changes the melody looks at the whole of it.
  const isFirstStreamed = options.isStreamed && first && first.text !== "" && !first.manner && keepsMelody(manner);
  const started: Promise<Float32Array>[] = [];
  const startNext = () => {
    const { text, manner: own } = pieces[started.length]!;
    const speed = own ? Math.max(0.5, Math.min(2, voice.speed * own.rate)) : voice.speed;
    const spoken = text === "" ? Promise.resolve(nothing) : speakPiece(engine, { ...voice, speed, text }, stop);
    // Looked at when its turn comes; until then a failure must not count as unhandled.
    spoken.catch(() => {});
    started.push(spoken);
  };
  const startAhead = (from: number) => {
    while (started.length < Math.min(pieces.length, from + AHEAD)) startNext();
  };
  try {
    // Whoever waits for the first sound gets the whole machine for it.
    if (isFirstStreamed) started.push(Promise.resolve(nothing));
    else if (options.isUrgent) startNext();
    else startAhead(0);
    for (const [index, piece] of pieces.entries()) {
      const isStreamed = index === 0 && isFirstStreamed;
      if (isStreamed) yield* streamPiece(engine, { ...voice, text: piece.text }, stop);
      const samples = await started[index]!;
      startAhead(index + 1);
      if (samples.length === 0 && !isStreamed && !piece.isExactPause) continue;
      const stretch = piece.isExactPause ? 1 : manner.pauses / voice.speed;
      const pause = Math.round((piece.pauseMs * stretch * sampleRateHz) / 1000);
      const how = piece.manner ? combineManners([manner, piece.manner]) : manner;
      const level = piece.manner ? decibelsToFactor(piece.manner.energyDecibels) : 1;
      const bent = scaleSamples(bendMelody(samples, sampleRateHz, how), level);
      yield pause > 0 ? joinSamples([bent, new Float32Array(pause)]) : bent;
    }
  } finally {
    leaving.abort(new Error("the reader left"));
  }
}

async function* streamPiece(
  engine: SpeechEngine,
  request: SpeechRequest,
  signal: AbortSignal,
): AsyncGenerator<Float32Array> {
  for await (const { samples } of engine.speak({ ...request, isStreamed: true }, signal)) yield samples;
  signal.throwIfAborted();
}

async function speakPiece(engine: SpeechEngine, request: SpeechRequest, signal: AbortSignal): Promise<Float32Array> {
  const parts: Float32Array[] = [];
  for await (const chunk of engine.speak(request, signal)) parts.push(chunk.samples);
  signal.throwIfAborted();
  return joinSamples(parts);
}
