import { useCallback, useEffect, useRef, useState } from "react";
import { AudioPlayer } from "../../../components/audio-player.tsx";
import { AnchorButton, Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Field, Segments, Textarea } from "../../../components/field.tsx";
import { DownloadIcon, PlayIcon, StopIcon } from "../../../components/icons.tsx";
import { PlaygroundFrame } from "../kit/frame.tsx";
import type { LivePlayer } from "../kit/live-player.ts";
import { RangeField } from "../kit/range-field.tsx";
import type { ShownRequest } from "../kit/request-code.ts";
import { RunState } from "../kit/run-state.tsx";
import { useRun } from "../kit/use-run.ts";
import { useService } from "../kit/use-service.ts";
import { useUrls } from "../kit/use-urls.ts";
import { type Choice, useVoices, VoicePicker } from "../kit/voice-picker.tsx";
import { HeardText } from "./heard-text.tsx";
import { shownSpeech } from "./shown-speech.ts";
import { type SpeechWanted, type Spoken, speak } from "./speak.ts";

interface Take extends SpeechWanted, Spoken {
  id: number;
  src: string;
  download: string;
}

const formats = ["wav", "mp3", "opus", "pcm"] as const;
const firstText =
  "Good morning! Your parcel has arrived at the front desk. You can pick it up until eight in the evening.";

export default function SpeechPage() {
  const voice = useService("voice");
  const run = useRun();
  const urlOf = useUrls();
  const { start } = useVoices();
  const [chosen, setChosen] = useState<Choice>();
  const [text, setText] = useState(firstText);
  const [speed, setSpeed] = useState(1);
  const [format, setFormat] = useState<SpeechWanted["format"]>("wav");
  const [arriving, setArriving] = useState<{ text: string; samples: Float32Array; sampleRateHz: number }>();
  const [takes, setTakes] = useState<Take[]>([]);
  const [request, setRequest] = useState<ShownRequest>();
  const live = useRef<LivePlayer>(undefined);
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => () => live.current?.stop(), []);
  const choice = chosen ?? start;
  const newest = takes[0];

  const send = () =>
    run.start(async (signal) => {
      live.current?.stop();
      live.current = undefined;
      setArriving(undefined);
      const wanted = { text, ...choice, speed, format };
      setRequest(shownSpeech(voice.url, wanted));
      const spoken = await speak(voice, wanted, signal, {
        onStart: (player) => {
          live.current = player;
        },
        onGrow: (samples, sampleRateHz) => setArriving({ text, samples, sampleRateHz }),
      });
      setArriving(undefined);
      const take = { ...wanted, ...spoken, id: Date.now(), src: urlOf(spoken.playable), download: urlOf(spoken.file) };
      setTakes((old) => [take, ...old]);
    });

  /** The live sound while there is one, afterwards the player below. */
  const secondsHeard = useCallback(() => {
    const audio = card.current?.querySelector("audio");
    if (audio && !audio.paused) {
      live.current?.stop();
      live.current = undefined;
      return audio.currentTime;
    }
    return live.current?.seconds() ?? (audio && audio.currentTime > 0 ? audio.currentTime : undefined);
  }, []);
  const seek = (seconds: number) => {
    const audio = card.current?.querySelector("audio");
    if (!audio) return;
    live.current?.stop();
    live.current = undefined;
    audio.currentTime = seconds;
    void audio.play();
  };
  const shown = arriving ?? newest;

  return (
    <PlaygroundFrame
      title="Speech"
      description="Text in, a voice out. It plays while it arrives."
      capabilities={["speech", "phonemes"]}
      request={request}
    >
      <Card>
        <div className="grid gap-4">
          <Field label="Text" hint={`${text.length} of 3000 characters`}>
            <Textarea value={text} maxLength={3000} rows={4} onChange={(event) => setText(event.target.value)} />
          </Field>
          <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
            <VoicePicker choice={choice} onChoice={setChosen} />
            <RangeField label="Speed" value={speed} min={0.5} max={2} step={0.05} onChange={setSpeed} />
            <div className="grid content-start gap-1.5">
              <span className="text-sm font-medium">Format</span>
              <Segments<SpeechWanted["format"]>
                label="Format"
                value={format}
                options={formats.map((value) => ({ value, label: value }))}
                onChange={setFormat}
              />
            </div>
          </div>
          <div className="flex flex-wrap gap-2">
            <Button look="primary" isBusy={run.isBusy} disabled={text.trim() === ""} onClick={send}>
              {!run.isBusy && <PlayIcon />}
              Speak
            </Button>
            {run.isBusy && (
              <Button onClick={run.stop}>
                <StopIcon />
                Stop
              </Button>
            )}
          </div>
          <RunState run={run} />
        </div>
      </Card>
      {shown && (
        <Card title="Heard">
          <div ref={card} className="grid gap-3" aria-live="off">
            <HeardText
              text={shown.text}
              samples={shown.samples}
              sampleRateHz={shown.sampleRateHz}
              isWhole={shown === newest}
              seconds={secondsHeard}
              box={card}
              onSeek={shown === newest ? seek : undefined}
            />
            {newest && shown === newest && <TakeRow take={newest} startsByItself={!newest.isHeard} />}
          </div>
        </Card>
      )}
      {takes.length > 1 && (
        <Card title="This visit" description="Forgotten when you leave the page.">
          <ul className="grid gap-3">
            {takes.slice(1).map((take) => (
              <li key={take.id} className="grid gap-1.5">
                <span className="truncate text-sm text-muted">
                  {take.voice}: {take.text}
                </span>
                <TakeRow take={take} startsByItself={false} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </PlaygroundFrame>
  );
}

function TakeRow({ take, startsByItself }: { take: Take; startsByItself: boolean }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="min-w-0 flex-1 basis-56">
        <AudioPlayer src={take.src} label={`${take.voice} ${take.format}`} startsByItself={startsByItself} />
      </div>
      <AnchorButton isSmall href={take.download} download={`speech.${take.format}`}>
        <DownloadIcon />
        Download
      </AnchorButton>
    </div>
  );
}
