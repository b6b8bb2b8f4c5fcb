export interface TimedSentence {
  text: string;
  start: number;
  end: number;
}

/** A pause between sentences is at least this long, and quieter than this share of the loudest moment. Guesses that fit our voices. */
const pauseSeconds = 0.12;
const quietShare = 0.04;
const frameSeconds = 0.02;

/** Where each sentence of a text is spoken: shared out by length, then moved to the nearest pause. Approximate. */
export function sentenceTimes(text: string, samples: Float32Array, sampleRateHz: number): TimedSentence[] {
  const sentences = splitSentences(text);
  const seconds = samples.length / sampleRateHz;
  const letters = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
  const pauses = findPauses(samples, sampleRateHz);
  let read = 0;
  let start = 0;
  return sentences.map((sentence, index) => {
    read += sentence.length;
    const guess = (seconds * read) / letters;
    const isLast = index === sentences.length - 1;
    const near = pauses.filter((pause) => pause > start).sort((a, b) => Math.abs(a - guess) - Math.abs(b - guess))[0];
    const end = isLast ? seconds : (near ?? guess);
    const timed = { text: sentence, start, end };
    start = end;
    return timed;
  });
}

export function splitSentences(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });
  return [...segmenter.segment(text)].map(({ segment }) => segment).filter((sentence) => sentence.trim() !== "");
}

/** The middle of every silence. */
function findPauses(samples: Float32Array, sampleRateHz: number): number[] {
  const frame = Math.round(sampleRateHz * frameSeconds);
  const levels: number[] = [];
  for (let at = 0; at + frame <= samples.length; at += frame) {
    let sum = 0;
    for (let i = at; i < at + frame; i++) sum += (samples[i] ?? 0) ** 2;
    levels.push(Math.sqrt(sum / frame));
  }
  const quiet = Math.max(...levels, 0) * quietShare;
  const pauses: number[] = [];
  let began = -1;
  for (const [index, level] of [...levels, 1].entries()) {
    if (level <= quiet && began < 0) began = index;
    if (level > quiet && began >= 0) {
      if ((index - began) * frameSeconds >= pauseSeconds) pauses.push(((index + began) / 2) * frameSeconds);
      began = -1;
    }
  }
  return pauses;
}
