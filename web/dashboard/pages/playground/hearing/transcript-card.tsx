import { useCallback, useRef } from "react";
import { AudioPlayer } from "../../../components/audio-player.tsx";
import { Card } from "../../../components/card.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Badge, EmptyState } from "../../../components/states.tsx";
import { formatSeconds } from "../../../lib/format.ts";
import { useClock } from "../kit/use-clock.ts";
import { type Transcript, transcriptTexts } from "./transcript-text.ts";

/** The words of a recording beside its player: each lights up while it is said. */
export function TranscriptCard({ transcript, src }: { transcript: Transcript; src: string }) {
  const box = useRef<HTMLDivElement>(null);
  const seconds = useClock(
    useCallback(() => {
      const audio = box.current?.querySelector("audio");
      return audio && (!audio.paused || audio.currentTime > 0) ? audio.currentTime : undefined;
    }, []),
    box,
  );
  const nowMs = seconds === undefined ? -1 : Math.round(seconds * 1000);
  const go = (ms: number) => {
    const audio = box.current?.querySelector("audio");
    if (!audio) return;
    audio.currentTime = ms / 1000;
    void audio.play();
  };
  const { segments } = transcript;
  return (
    <Card
      title="Transcript"
      actions={transcriptTexts(transcript).map(({ label, text }) => (
        <CopyButton key={label} text={text} label={`Copy ${label}`} />
      ))}
    >
      <div ref={box} className="grid gap-4">
        <AudioPlayer src={src} label="the recording" />
        <p className="flex flex-wrap gap-1.5">
          <Badge>{transcript.language}</Badge>
          <Badge>{formatSeconds(transcript.durationMs / 1000)}</Badge>
          <Badge>{transcript.model}</Badge>
        </p>
        {transcript.text === "" && (
          <EmptyState title="No words">Silence, noise or a language that is not heard here.</EmptyState>
        )}
        <ol className="grid gap-2">
          {segments.map((segment) => (
            <li key={segment.startMs} className="grid gap-x-3 sm:grid-cols-[4rem_1fr]">
              <span className="text-xs text-faint tabular-nums sm:pt-1">{formatSeconds(segment.startMs / 1000)}</span>
              <p className="text-sm leading-relaxed">
                {(segment.words ?? [{ word: segment.text, startMs: segment.startMs, endMs: segment.endMs }]).map(
                  (word, index) => (
                    <button
                      key={index}
                      type="button"
                      aria-current={nowMs >= word.startMs && nowMs < word.endMs ? "true" : undefined}
                      onClick={() => go(word.startMs)}
                      className="rounded-sm px-0.5 text-left hover:bg-hover aria-[current]:bg-accent-soft aria-[current]:text-accent-ink"
                    >
                      {word.word}
                    </button>
                  ),
                )}
              </p>
            </li>
          ))}
        </ol>
      </div>
    </Card>
  );
}
