import { useEffect, useRef, useState } from "react";
import { toPcm16 } from "../../../../../src/audio/pcm.ts";
import { wavHeader } from "../../../../../src/audio/wav.ts";
import { Button } from "../../../components/button.tsx";
import { MicIcon, StopIcon } from "../../../components/icons.tsx";
import { toast } from "../../../components/toast.tsx";
import { formatSeconds } from "../../../lib/format.ts";
import { Level } from "./level.tsx";
import { levelOf, listen, type Microphone } from "./microphone.ts";

/** What recognisers hear at; more would be sent for nothing. */
const sampleRateHz = 16_000;
/** Two minutes are 3.8 MB, below what an upload may have by default. */
const mostSeconds = 120;

/** Records the microphone into a WAV file. */
export function Recorder({ onFile }: { onFile(file: File): void }) {
  const [state, setState] = useState<{ seconds: number; level: number }>();
  const microphone = useRef<Microphone>(undefined);
  const parts = useRef<Uint8Array[]>([]);
  useEffect(() => () => microphone.current?.stop(), []);

  const stop = () => {
    microphone.current?.stop();
    microphone.current = undefined;
    setState(undefined);
    const bytes = parts.current.splice(0);
    const length = bytes.reduce((sum, part) => sum + part.length, 0);
    if (length === 0) return;
    onFile(
      new File([wavHeader({ sampleRateHz }, length), ...bytes] as BlobPart[], "recording.wav", { type: "audio/wav" }),
    );
  };
  const start = async () => {
    try {
      microphone.current = await listen(sampleRateHz, (samples) => {
        parts.current.push(toPcm16(samples));
        const seconds = (parts.current.length * samples.length) / sampleRateHz;
        setState({ seconds, level: levelOf(samples) });
        if (seconds >= mostSeconds) stop();
      });
      setState({ seconds: 0, level: 0 });
    } catch (error) {
      toast((error as Error).message, { isBad: true });
    }
  };
  if (!state)
    return (
      <Button onClick={start}>
        <MicIcon />
        Record
      </Button>
    );
  return (
    <span className="inline-flex flex-wrap items-center gap-3">
      <Button look="danger" onClick={stop}>
        <StopIcon />
        Stop recording
      </Button>
      <Level label="Level of the microphone" level={state.level} />
      <span className="text-sm text-muted tabular-nums">{formatSeconds(state.seconds)}</span>
    </span>
  );
}
