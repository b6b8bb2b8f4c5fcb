export interface TimedWords {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly confidence?: number;
  readonly words?: readonly { readonly word: string; readonly start: number; readonly end: number }[];
}

export interface VerboseTranscript {
  readonly task: "transcribe" | "translate";
  /** A code. */
  readonly language: string;
  readonly seconds: number;
  readonly text: string;
  readonly segments: readonly TimedWords[];
}

/** OpenAI's `verbose_json`, with segments, words or both as `timestamp_granularities` asks. */
export function verboseTranscript(heard: VerboseTranscript, granularities: readonly string[]) {
  const wantsSegments = granularities.length === 0 || granularities.includes("segment");
  return {
    task: heard.task,
    language: nameOf(heard.language),
    duration: heard.seconds,
    text: heard.text,
    ...(wantsSegments ? { segments: heard.segments.map(toSegment) } : {}),
    ...(granularities.includes("word") ? { words: heard.segments.flatMap(({ words }) => words ?? []) } : {}),
  };
}

function toSegment({ start, end, text, confidence = 1 }: TimedWords, id: number) {
  return {
    id,
    seek: 0,
    start,
    end,
    text,
    tokens: [],
    temperature: 0,
    avg_logprob: Math.log(Math.max(1e-6, confidence)),
    compression_ratio: 1,
    no_speech_prob: 0,
  };
}

/** OpenAI names languages in English: "english". What an upstream has named already stays as it is. */
function nameOf(code: string): string {
  if (code === "und" || !/^[a-z]{2,3}(-|$)/i.test(code)) return code;
  return new Intl.DisplayNames("en", { type: "language" }).of(code.split("-")[0]!)?.toLowerCase() ?? code;
}
