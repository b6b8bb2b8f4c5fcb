import { useEffect, useRef, useState } from "react";
import { IconButton } from "./button.tsx";
import { PauseIcon, PlayIcon } from "./icons.tsx";
import { Slider } from "./slider.tsx";
import { Spinner } from "./spinner.tsx";

/** Only one thing talks at a time on a page. */
let playing: HTMLAudioElement | undefined;

/** Play, pause and a line that shows where it is and takes clicks and arrow keys. `src` may be an address or a blob's. */
export function AudioPlayer({
  src,
  label,
  startsByItself = false,
}: {
  src: string;
  label: string;
  startsByItself?: boolean;
}) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [length, setLength] = useState(0);

  useEffect(() => {
    if (startsByItself) audio.current?.play().catch(() => {});
  }, [src, startsByItself]);

  const toggle = () => {
    const element = audio.current;
    if (!element) return;
    if (element.paused) element.play().catch(() => {});
    else element.pause();
  };
  return (
    <div className="flex items-center gap-2 rounded-lg border bg-sunken py-1 pr-3 pl-1">
      {/* biome-ignore lint/a11y/useMediaCaption: what is spoken stands beside it */}
      <audio
        ref={audio}
        src={src}
        preload="metadata"
        onPlay={(event) => {
          if (playing && playing !== event.currentTarget) playing.pause();
          playing = event.currentTarget;
          setPlaying(true);
        }}
        onPause={() => setPlaying(false)}
        onTimeUpdate={(event) => setSeconds(event.currentTarget.currentTime)}
        onDurationChange={(event) =>
          setLength(Number.isFinite(event.currentTarget.duration) ? event.currentTarget.duration : 0)
        }
      />
      <IconButton label={isPlaying ? `Pause ${label}` : `Play ${label}`} onClick={toggle}>
        {isPlaying ? <PauseIcon /> : <PlayIcon />}
      </IconButton>
      <Slider
        aria-label={`Position in ${label}`}
        min={0}
        max={length || 1}
        step={0.01}
        value={Math.min(seconds, length || 1)}
        onChange={(to) => {
          if (audio.current) audio.current.currentTime = to;
        }}
        className="h-5 min-w-0 flex-1"
      />
      <span className="text-xs text-muted tabular-nums">
        {clock(seconds)} / {clock(length)}
      </span>
    </div>
  );
}

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A single button for lists of voices: fetches when pressed, not before. */
export function PlayButton({ src, label }: { src: string; label: string }) {
  const [state, setState] = useState<"idle" | "loading" | "playing" | "failed">("idle");
  const audio = useRef<HTMLAudioElement>(undefined);
  useEffect(() => () => audio.current?.pause(), []);
  const press = () => {
    if (state === "playing" || state === "loading") {
      audio.current?.pause();
      setState("idle");
      return;
    }
    const element = new Audio(src);
    audio.current = element;
    if (playing) playing.pause();
    playing = element;
    element.onplaying = () => setState("playing");
    element.onpause = () => setState("idle");
    element.onended = () => setState("idle");
    element.onerror = () => setState("failed");
    setState("loading");
    element.play().catch(() => setState((now) => (now === "loading" ? "failed" : now)));
  };
  const words = { idle: "Play", loading: "Stop", playing: "Stop", failed: "Could not play; try again:" };
  return (
    <IconButton label={`${words[state]} ${label}`} onClick={press} className={state === "failed" ? "text-bad" : ""}>
      {state === "loading" ? (
        <Spinner label="Loading the sample" />
      ) : state === "playing" ? (
        <PauseIcon />
      ) : (
        <PlayIcon />
      )}
    </IconButton>
  );
}
