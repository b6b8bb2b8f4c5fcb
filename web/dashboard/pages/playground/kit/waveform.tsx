import { useEffect, useRef } from "react";

/** One bar for about this many pixels. */
const barPixels = 4;

interface WaveformProps {
  samples: Float32Array;
  /** 0 to 1: up to where it has been heard. */
  position: number;
  label: string;
  /** A click or arrow key goes there. */
  onSeek?: ((position: number) => void) | undefined;
}

/** The loudness of a recording as bars, those that were heard in colour. */
export function Waveform({ samples, position, label, onSeek }: WaveformProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<{ samples: Float32Array; peaks: number[]; heard: number }>(undefined);
  useEffect(() => {
    const element = canvas.current;
    const pen = element?.getContext("2d");
    if (!element || !pen) return;
    const scale = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = element;
    const bars = Math.max(1, Math.floor(width / barPixels));
    const heard = Math.round(position * bars);
    const old = drawn.current;
    const isSame = old?.samples === samples && old.peaks.length === bars;
    if (isSame && old.heard === heard) return;
    const peaks = isSame ? old.peaks : peaksOf(samples, bars);
    drawn.current = { samples, peaks, heard };
    element.width = width * scale;
    element.height = height * scale;
    pen.scale(scale, scale);
    const style = getComputedStyle(element);
    const loudest = Math.max(0.05, ...peaks);
    peaks.forEach((peak, index) => {
      pen.fillStyle = index < heard ? style.color : style.borderTopColor;
      const tall = Math.max(2, (peak / loudest) * height);
      pen.beginPath();
      pen.roundRect(index * barPixels, (height - tall) / 2, barPixels - 1.5, tall, 1);
      pen.fill();
    });
  }, [samples, position]);
  const seek = (to: number) => onSeek?.(Math.max(0, Math.min(1, to)));
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(position * 100)}
      onClick={(event) => {
        const { left, width } = event.currentTarget.getBoundingClientRect();
        seek((event.clientX - left) / width);
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowRight") seek(position + 0.05);
        if (event.key === "ArrowLeft") seek(position - 0.05);
      }}
      className={onSeek ? "cursor-pointer" : ""}
    >
      <canvas ref={canvas} className="h-16 w-full border-0 border-line-strong text-accent-ink" />
    </div>
  );
}

function peaksOf(samples: Float32Array, bars: number): number[] {
  const width = samples.length / bars;
  return Array.from({ length: bars }, (_, bar) => {
    let peak = 0;
    for (let at = Math.floor(bar * width); at < (bar + 1) * width; at += 4) {
      const value = Math.abs(samples[at] ?? 0);
      if (value > peak) peak = value;
    }
    return peak;
  });
}
