export interface TimedWord {
  word: string;
  startMs: number;
  endMs: number;
}
export interface Segment {
  startMs: number;
  endMs: number;
  text: string;
  confidence: number;
  words?: TimedWord[];
}
export interface Transcript {
  text: string;
  language: string;
  durationMs: number;
  model: string;
  segments: Segment[];
}

/** A transcript in each of the ways it can be copied, made of the reply that is already there. */
export function transcriptTexts(transcript: Transcript): { label: string; text: string }[] {
  const { segments } = transcript;
  const line = ({ startMs, endMs }: Segment, mark: string) => `${clock(startMs, mark)} --> ${clock(endMs, mark)}`;
  return [
    { label: "text", text: transcript.text },
    {
      label: "SRT",
      text: segments.map((part, index) => `${index + 1}\n${line(part, ",")}\n${part.text}\n`).join("\n"),
    },
    { label: "VTT", text: `WEBVTT\n\n${segments.map((part) => `${line(part, ".")}\n${part.text}\n`).join("\n")}` },
    { label: "JSON", text: JSON.stringify(transcript, null, 2) },
  ];
}

function clock(ms: number, mark: string): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}${mark}${String(ms % 1000).padStart(3, "0")}`;
}
