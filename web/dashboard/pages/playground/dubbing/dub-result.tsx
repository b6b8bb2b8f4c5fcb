import { AudioPlayer } from "../../../components/audio-player.tsx";
import { AnchorButton } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { DownloadIcon } from "../../../components/icons.tsx";
import { Badge } from "../../../components/states.tsx";
import { formatSeconds } from "../../../lib/format.ts";
import { transcriptTexts } from "../hearing/transcript-text.ts";

export interface Dub {
  durationMs: number;
  sourceText: string;
  translation: string;
  sourceLanguage: string;
  targetLanguage: string;
  truncated: boolean;
  speakers: number;
  match?: "voice" | "nearest";
  segments: {
    sourceStartMs: number;
    sourceEndMs: number;
    startMs: number;
    endMs: number;
    stretch: number;
    speaker: number;
    sourceText: string;
    text: string;
  }[];
}

/** Both recordings side by side, and under them what is said when. */
export function DubResult({ dub, src, source }: { dub: Dub; src: string; source: string }) {
  const subtitles = transcriptTexts({
    text: dub.translation,
    language: dub.targetLanguage,
    durationMs: dub.durationMs,
    model: "",
    segments: dub.segments.map(({ startMs, endMs, text }) => ({ startMs, endMs, text, confidence: 1 })),
  }).filter(({ label }) => label === "SRT" || label === "VTT");
  return (
    <Card
      title="Dubbed"
      actions={
        <>
          <AnchorButton isSmall href={src} download="dub.wav">
            <DownloadIcon />
            Audio
          </AnchorButton>
          {subtitles.map(({ label, text }) => (
            <AnchorButton
              key={label}
              isSmall
              href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
              download={`dub.${label.toLowerCase()}`}
            >
              <DownloadIcon />
              {label}
            </AnchorButton>
          ))}
          <CopyButton text={dub.translation} label="Copy translation" />
        </>
      }
    >
      <div className="grid gap-4">
        <p className="flex flex-wrap gap-1.5">
          {dub.speakers > 1 && <Badge>{dub.speakers} people</Badge>}
          {dub.match && <Badge>{dub.match === "voice" ? "with the very voice" : "with the nearest voice"}</Badge>}
          {dub.truncated && <Badge tone="warn">only the first 3000 characters</Badge>}
        </p>
        <div className="grid gap-4 md:grid-cols-2">
          {[
            { title: dub.sourceLanguage, url: source },
            { title: dub.targetLanguage, url: src },
          ].map(({ title, url }) => (
            <div key={title} className="grid gap-1.5">
              <h3 className="text-sm font-medium">{title}</h3>
              <AudioPlayer src={url} label={title} />
            </div>
          ))}
        </div>
        <ol className="grid gap-2" aria-label="Segments">
          {dub.segments.map((segment) => (
            <li
              key={segment.startMs}
              className="grid gap-x-4 gap-y-1 rounded-lg border bg-sunken p-3 text-sm md:grid-cols-2"
            >
              <p>
                <Times from={segment.sourceStartMs} to={segment.sourceEndMs} />
                {segment.sourceText}
              </p>
              <p>
                <Times from={segment.startMs} to={segment.endMs} />
                {segment.text}
                <span className="mt-1.5 flex items-center gap-2">
                  <span className="h-1.5 w-24 overflow-hidden rounded-full bg-hover">
                    {/* 1.6 times is as fast as it ever gets (docs/dubbing.md). */}
                    <span
                      className="block h-full bg-accent"
                      style={{ width: `${Math.min(1, segment.stretch / 1.6) * 100}%` }}
                    />
                  </span>
                  <span className="text-xs text-faint tabular-nums">
                    {segment.stretch.toFixed(2)} times its own pace
                  </span>
                </span>
              </p>
            </li>
          ))}
        </ol>
      </div>
    </Card>
  );
}

function Times({ from, to }: { from: number; to: number }) {
  return (
    <span className="block text-xs text-faint tabular-nums">
      {formatSeconds(from / 1000)} to {formatSeconds(to / 1000)}
    </span>
  );
}
