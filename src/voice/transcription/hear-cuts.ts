import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "../../platform/errors.ts";
import {
  type Heard,
  type HearingRequest,
  type TranscriptionEngine,
  UNKNOWN_LANGUAGE,
} from "../../ports/transcription-engine.ts";
import type { SpeechCut } from "./cut-speech.ts";
import type { Turn } from "./find-speech.ts";

const noticeDeathsMs = 100;
/** How much speech is looked at before the language of a recording is decided. */
const decideWithinMs = 60_000;
const decideFromMs = 8_000;
/** Stretches that wait for their turn while one is waited for: enough to keep a second engine process busy. */
const usuallyAhead = 2;
/** Below this a stretch may be in another language than the recording. */
const doubtfulBelow = 0.67;
/** From here on a stretch that was in no known language by itself is believed to be in the one that its recording turned out to have. */
const believedFrom = 0.58;

/** Speech in none of the known languages. */
const nothing: Heard = { text: "", language: UNKNOWN_LANGUAGE, confidence: 0 };

export interface HeardCut {
  readonly cut: SpeechCut;
  readonly heard: Heard;
}

/** Hears stretches in order. Without a language, the longest stretch at the beginning decides it for the recording: one
 *  decision on much speech is more often right than many on little. */
export async function* hearCuts(
  engine: TranscriptionEngine,
  cuts: AsyncIterable<SpeechCut>,
  pinned: string | undefined,
  turn: Turn & Pick<HearingRequest, "isTranslated">,
  signal: AbortSignal,
  ahead = usuallyAhead,
): AsyncGenerator<HeardCut> {
  const hear = async (cut: SpeechCut, language: string | undefined) => {
    const request = { samples: cut.samples, speechMs: cut.speechMs, language, isInterim: false, ...turn };
    try {
      return await engine.hear(request, signal);
    } catch (error) {
      // A stretch that died with its process is worth a second try: an hour of work hangs on it.
      const isLost = error instanceof Problem && error.kind === "engine_unavailable";
      if (!isLost || signal.aborted) throw error;
      // What ended it may have ended its neighbours, too: a moment later only living processes are given work.
      await sleep(noticeDeathsMs, undefined, { signal });
      return engine.hear(request, signal);
    }
  };
  let decided = pinned;
  const undecided: SpeechCut[] = [];
  /** How many of these, from the first, have been looked at in vain: a hoarse or noisy beginning may be a known language yet. */
  let inVain = 0;
  const started: { cut: SpeechCut; hearing: Promise<Heard> }[] = [];

  for await (const cut of cuts) {
    if (decided !== undefined) {
      start(cut);
      if (started.length > ahead) yield await next();
      continue;
    }
    undecided.push(cut);
    const isEnough = cut.speechMs >= decideFromMs || cut.endMs - undecided[inVain]!.startMs >= decideWithinMs;
    if (isEnough) yield* decide();
  }
  if (undecided.length > inVain) yield* decide();
  for (const cut of undecided) yield { cut, heard: nothing };
  while (started.length > 0) yield await next();

  function start(cut: SpeechCut, listen = hearOrDoubt): void {
    const hearing = pinned === undefined ? listen(cut) : hear(cut, decided);
    // Looked at when its turn comes; until then a failure must not count as unhandled.
    hearing.catch(() => {});
    started.push({ cut, hearing });
  }

  async function next(): Promise<HeardCut> {
    const { cut, hearing } = started.shift()!;
    return { cut, heard: await hearing };
  }

  async function* decide(): AsyncGenerator<HeardCut> {
    const waiting = undecided.slice(inVain);
    const longest = waiting.reduce((best, cut) => (cut.speechMs > best.speechMs ? cut : best));
    const heard = await hear(longest, undefined);
    if (heard.language !== UNKNOWN_LANGUAGE) {
      decided = heard.language;
      yield* hearWaiting(longest, heard);
    } else if (heard.text !== "") {
      // A server that heard words without saying in which language is believed; nobody else's guess would be better.
      for (const cut of undecided.splice(0, inVain)) yield { cut, heard: nothing };
      for (const cut of undecided.splice(0)) yield { cut, heard: cut === longest ? heard : await hear(cut, undefined) };
      inVain = 0;
    } else {
      const keptFromMs = undecided.at(-1)!.endMs - decideWithinMs;
      while (undecided[0] && undecided[0].startMs < keptFromMs) yield { cut: undecided.shift()!, heard: nothing };
      inVain = undecided.length;
    }
  }

  async function* hearWaiting(longest: SpeechCut, heard: Heard): AsyncGenerator<HeardCut> {
    for (const [index, cut] of undecided.splice(0).entries()) {
      if (cut === longest) started.push({ cut, hearing: Promise.resolve(heard) });
      else start(cut, index < inVain ? hearOnSecondThought : hearOrDoubt);
      if (started.length > ahead) yield await next();
    }
  }

  async function hearOnSecondThought(cut: SpeechCut): Promise<Heard> {
    const heard = await hear(cut, decided);
    return heard.confidence >= believedFrom ? heard : nothing;
  }

  /** People do switch languages between sentences. */
  async function hearOrDoubt(cut: SpeechCut): Promise<Heard> {
    const expected = await hear(cut, decided);
    const isDoubtful = expected.isOtherLanguage ?? (expected.text !== "" && expected.confidence < doubtfulBelow);
    if (!isDoubtful) return expected;
    const other = await hear(cut, undefined);
    const isOther = other.language !== UNKNOWN_LANGUAGE && other.language !== decided;
    return isOther && (expected.isOtherLanguage || other.confidence > expected.confidence) ? other : expected;
  }
}
