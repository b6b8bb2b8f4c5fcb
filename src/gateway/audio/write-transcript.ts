import { verboseTranscript } from "../../audio/verbose-transcript.ts";
import type { LocalTranscript } from "../../ports/local-models.ts";
import type { TranscriptionWanted } from "./schema.ts";

/** A transcript in the format that was asked for, with its content type. */
export function writeTranscript(
  transcript: LocalTranscript,
  wanted: TranscriptionWanted,
  task: "transcribe" | "translate",
): { type: string; body: string } {
  const { text, language, seconds } = transcript;
  const segments = transcript.segments.length > 0 ? transcript.segments : wholeAsOne(transcript);
  switch (wanted.response_format) {
    case "text":
      return { type: "text/plain; charset=utf-8", body: `${text}\n` };
    case "srt": {
      const cues = segments.map(
        (segment, index) =>
          `${index + 1}\n${clock(segment.start, ",")} --> ${clock(segment.end, ",")}\n${segment.text.trim()}\n`,
      );
      return { type: "application/x-subrip; charset=utf-8", body: cues.join("\n") };
    }
    case "vtt": {
      const cues = segments.map(
        (segment) => `${clock(segment.start, ".")} --> ${clock(segment.end, ".")}\n${segment.text.trim()}\n`,
      );
      return { type: "text/vtt; charset=utf-8", body: `WEBVTT\n\n${cues.join("\n")}` };
    }
    case "verbose_json":
      return json(verboseTranscript({ task, language, seconds, text, segments }, granularitiesOf(wanted)));
    default:
      return json({ text });
  }
}

function granularitiesOf(wanted: TranscriptionWanted): readonly string[] {
  return wanted["timestamp_granularities[]"] ?? wanted.timestamp_granularities ?? [];
}

function json(body: unknown): { type: string; body: string } {
  return { type: "application/json; charset=utf-8", body: JSON.stringify(body) };
}

function wholeAsOne({ text, seconds }: LocalTranscript): LocalTranscript["segments"] {
  return text === "" ? [] : [{ start: 0, end: seconds, text }];
}

/** 00:01:02,345 */
function clock(seconds: number, separator: string): string {
  const ms = Math.round(seconds * 1000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const whole = [two(ms / 3_600_000), two((ms / 60_000) % 60), two((ms / 1000) % 60)].join(":");
  return `${whole}${separator}${String(ms % 1000).padStart(3, "0")}`;
}
