import { type RefObject, useMemo } from "react";
import { classNames } from "../../../lib/class-names.ts";
import { sentenceTimes } from "../kit/sentence-times.ts";
import { useClock } from "../kit/use-clock.ts";
import { Waveform } from "../kit/waveform.tsx";

interface HeardTextProps {
  text: string;
  samples: Float32Array;
  sampleRateHz: number;
  isWhole: boolean;
  /** Where it is now, in seconds; undefined when nothing plays. */
  seconds(): number | undefined;
  /** Where the player is, once there is one. */
  box: RefObject<HTMLElement | null>;
  onSeek?: ((seconds: number) => void) | undefined;
}

/** The waveform, and the text with the sentence that is being spoken marked. */
export function HeardText({ text, samples, sampleRateHz, isWhole, seconds, box, onSeek }: HeardTextProps) {
  const now = useClock(seconds, box, samples);
  const length = samples.length / sampleRateHz;
  const sentences = useMemo(
    () => (isWhole ? sentenceTimes(text, samples, sampleRateHz) : []),
    [isWhole, text, samples, sampleRateHz],
  );
  return (
    <div className="grid gap-3">
      <Waveform
        samples={samples}
        position={length > 0 && now !== undefined ? now / length : 0}
        label="Position in the speech"
        onSeek={onSeek && ((position) => onSeek(position * length))}
      />
      <p className="text-sm leading-relaxed whitespace-pre-wrap">
        {sentences.length === 0
          ? text
          : sentences.map((sentence) => (
              <span
                key={sentence.start}
                aria-current={now !== undefined && now >= sentence.start && now < sentence.end ? "true" : undefined}
                className={classNames("rounded-sm aria-[current]:bg-accent-soft aria-[current]:text-accent-ink")}
              >
                {sentence.text}
              </span>
            ))}
      </p>
    </div>
  );
}
