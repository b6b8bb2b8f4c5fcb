import { useEffect, useRef, useState } from "react";
import { toPcm16 } from "../../../../../src/audio/pcm.ts";
import { jsonRequest } from "../../../api/call-service.ts";
import { useApi } from "../../../api/use-api.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Field, Select } from "../../../components/field.tsx";
import { MicIcon, StopIcon } from "../../../components/icons.tsx";
import { Badge, EmptyState } from "../../../components/states.tsx";
import { PlaygroundFrame } from "../kit/frame.tsx";
import { Level } from "../kit/level.tsx";
import { levelOf, listen, type Microphone } from "../kit/microphone.ts";
import type { ShownRequest } from "../kit/request-code.ts";
import { RunState } from "../kit/run-state.tsx";
import { useRun } from "../kit/use-run.ts";
import { useService } from "../kit/use-service.ts";

interface Utterance {
  id: number;
  text: string;
  language: string;
  isFinal: boolean;
}
type Heard =
  | { type: "interim" | "final"; text: string; language: string; utterance: number }
  | { type: "error"; error: { message: string } }
  | { type: "ready" | "speech_started" | "flushed" };

const sampleRateHz = 16_000;

export default function LivePage() {
  const voice = useService("voice");
  const run = useRun();
  const { data } = useApi("listLanguages");
  const [language, setLanguage] = useState("auto");
  const [utterances, setUtterances] = useState<Utterance[]>([]);
  const [level, setLevel] = useState<number>();
  const [request, setRequest] = useState<ShownRequest>();
  const end = useRef<() => void>(undefined);
  useEffect(() => () => end.current?.(), []);
  const heard = (data?.languages ?? []).filter((one) => one.heard !== "no");

  const take = (message: Heard) => {
    if (message.type === "error") throw new Error(message.error.message);
    if (message.type !== "interim" && message.type !== "final") return;
    const { utterance: id, text, language: told, type } = message;
    const next = { id, text, language: told, isFinal: type === "final" };
    setUtterances((old) => [...old.filter((one) => one.id !== id), next].filter((one) => one.text !== ""));
  };
  const start = () =>
    run.start(async (signal) => {
      setUtterances([]);
      const isAuto = language === "auto";
      const path = isAuto ? "/v1/realtime/stt/auto" : "/v1/realtime/stt/lang";
      const body = isAuto ? { ttl_seconds: 60 } : { language, ttl_seconds: 60 };
      setRequest({ url: voice.url + path, json: body });
      const minted = await (await voice.send(path, { ...jsonRequest(body), signal })).json();
      await hear(here(minted.url), signal, take, setLevel, end);
    });
  return (
    <PlaygroundFrame
      title="Live transcription"
      description="Speak, and the words appear while you do: first guesses in grey, then what was heard."
      capabilities={["transcription", "voice-activity"]}
      request={request}
    >
      <Card>
        <div className="grid gap-4">
          <div className="flex flex-wrap items-end gap-3">
            <Field label="Language" className="w-56">
              <Select value={language} disabled={run.isBusy} onChange={(event) => setLanguage(event.target.value)}>
                <option value="auto">Detect it</option>
                {heard.map(({ code, label }) => (
                  <option key={code} value={code}>
                    {label}
                  </option>
                ))}
              </Select>
            </Field>
            {run.isBusy ? (
              <Button look="danger" onClick={() => end.current?.()}>
                <StopIcon />
                Stop
              </Button>
            ) : (
              <Button look="primary" onClick={start}>
                <MicIcon />
                Listen
              </Button>
            )}
            {level !== undefined && <Level label="Level of the microphone" level={level} />}
            {utterances.length > 0 && (
              <CopyButton text={utterances.map(({ text }) => text).join("\n")} label="Copy text" />
            )}
          </div>
          {run.error && <RunState run={run} />}
          <ol aria-live="polite" aria-label="Heard" className="grid gap-2 text-sm leading-relaxed">
            {utterances.map(({ id, text, language: told, isFinal }) => (
              <li key={id} data-final={isFinal} className={isFinal ? "" : "text-faint italic"}>
                {text} {isFinal && <Badge>{told}</Badge>}
              </li>
            ))}
          </ol>
          {utterances.length === 0 && (
            <EmptyState icon={<MicIcon />} title={run.isBusy ? "Listening" : "Nothing heard yet"}>
              What the microphone hears goes to this server only, and is kept nowhere.
            </EmptyState>
          )}
        </div>
      </Card>
    </PlaygroundFrame>
  );
}

/** The same socket on the host that the page came from. */
function here(url: string): string {
  const { pathname, search } = new URL(url);
  return `${location.origin.replace(/^http/, "ws")}${pathname}${search}`;
}

/** Sends the microphone to a socket until `end` is called; what was said last is still answered. */
function hear(
  url: string,
  signal: AbortSignal,
  take: (message: Heard) => void,
  setLevel: (level: number | undefined) => void,
  end: { current: (() => void) | undefined },
): Promise<void> {
  const socket = new WebSocket(url);
  let microphone: Microphone | undefined;
  return new Promise<void>((resolve, reject) => {
    signal.addEventListener("abort", () => socket.close());
    end.current = () => {
      microphone?.stop();
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "close" }));
      else socket.close();
    };
    socket.onopen = async () => {
      try {
        microphone = await listen(sampleRateHz, (samples) => {
          setLevel(levelOf(samples));
          if (socket.readyState === WebSocket.OPEN) socket.send(toPcm16(samples) as Uint8Array<ArrayBuffer>);
        });
      } catch (error) {
        socket.close();
        reject(error);
      }
    };
    socket.onmessage = ({ data }) => {
      try {
        take(JSON.parse(data));
      } catch (error) {
        reject(error);
      }
    };
    socket.onclose = ({ code, reason }) => {
      if (code === 1000 || code === 1005) resolve();
      else reject(new Error(reason || `The stream was closed with code ${code}.`));
    };
  }).finally(() => {
    microphone?.stop();
    setLevel(undefined);
  });
}
