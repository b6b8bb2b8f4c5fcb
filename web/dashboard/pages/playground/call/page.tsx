import { useEffect, useRef, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Field, Input, Segments, Textarea } from "../../../components/field.tsx";
import { PhoneIcon } from "../../../components/icons.tsx";
import { Badge, EmptyState } from "../../../components/states.tsx";
import { Bubble } from "../kit/bubble.tsx";
import { PlaygroundFrame } from "../kit/frame.tsx";
import { Level } from "../kit/level.tsx";
import type { ShownRequest } from "../kit/request-code.ts";
import { RunState } from "../kit/run-state.tsx";
import { useRun } from "../kit/use-run.ts";
import { useService } from "../kit/use-service.ts";
import { type Choice, useVoices, VoicePicker } from "../kit/voice-picker.tsx";
import { type Call, type CallEvents, type CallWanted, openCall } from "./call.ts";
import { type Latency, LatencyChart } from "./latency-chart.tsx";

interface Line {
  key: string;
  isMine: boolean;
  text: string;
  isOpen: boolean;
  /** The caller talked over it; the rest was not said. */
  isCut?: boolean;
}

/** Of how many answers the latency is shown. */
const mostLatencies = 4;

export default function CallPage() {
  const voice = useService("voice");
  const run = useRun();
  const { start } = useVoices();
  const [mode, setMode] = useState<"assistant" | "external">("assistant");
  const [chosen, setChosen] = useState<Choice>();
  const [style, setStyle] = useState("");
  const [text, setText] = useState("");
  const [state, setState] = useState<"idle" | "connecting" | "live">("idle");
  const [lines, setLines] = useState<Line[]>([]);
  const [levels, setLevels] = useState([0, 0]);
  const [latencies, setLatencies] = useState<Latency[]>([]);
  const [request, setRequest] = useState<ShownRequest>();
  const call = useRef<Call>(undefined);
  useEffect(() => () => call.current?.hangUp(), []);
  const choice = chosen ?? start;

  /** One line per turn; it stays open while it may change. */
  const write = (key: string, isMine: boolean, said: string, isOpen: boolean) =>
    setLines((old) => {
      const open = old.findIndex((line) => line.key === key && line.isOpen);
      const line = { key, isMine, text: said, isOpen };
      return open < 0 ? [...old, line] : old.with(open, line);
    });
  const cutOff = () =>
    setLines((old) => {
      const last = old.findLastIndex(({ isMine }) => !isMine);
      return last < 0 ? old : old.with(last, { ...old[last]!, isOpen: false, isCut: true });
    });
  const onMessage: CallEvents["onMessage"] = ({ type, data }) => {
    if (type === "user-transcription") write("user", true, data.text, !data.final);
    else if (type === "bot-output" && data.spoken_status !== "new") {
      const said = data.spoken_progress?.accumulated_text ?? data.text;
      write(`bot-${data.segment_id}`, false, said, data.spoken_status === "in-progress");
    } else if (type === "bot-interrupted") cutOff();
    else if (type === "metrics" && data.ttfb)
      setLatencies((old) => [{ id: Date.now(), stages: data.ttfb }, ...old].slice(0, mostLatencies));
    else if (type === "error" || type === "error-response")
      void run.start(() => Promise.reject(new Error(data.message ?? data.error)));
  };
  const dial = () =>
    run.start(async (signal) => {
      setLines([]);
      setLatencies([]);
      setState("connecting");
      const wanted: CallWanted = { mode, ...choice, ...(style.trim() ? { style_text: style } : {}) };
      setRequest({ url: `${voice.url}/v1/realtime/session`, json: wanted });
      try {
        const opened = await openCall(voice, wanted, {
          onReady: () => setState("live"),
          onMessage,
          onLevels: (mine, theirs) => setLevels([mine, theirs]),
          onEnd: (reason) => {
            setState("idle");
            if (reason) void run.start(() => Promise.reject(new Error(reason)));
          },
        });
        if (signal.aborted) opened.hangUp();
        call.current = opened;
      } catch (error) {
        setState("idle");
        throw error;
      }
    });
  return (
    <PlaygroundFrame
      title="Live call"
      description="Talk with the server. Talk over it, and it stops and listens."
      capabilities={["transcription", "voice-activity", "chat", "speech"]}
      request={request}
    >
      <Card>
        <div className="grid gap-4">
          <div className="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-4">
            <div className="grid gap-1.5 sm:col-span-2">
              <span className="text-sm font-medium">Who answers</span>
              <Segments<CallWanted["mode"]>
                label="Who answers"
                value={mode}
                options={[
                  { value: "assistant", label: "The built-in model" },
                  { value: "external", label: "You write it" },
                ]}
                onChange={setMode}
              />
            </div>
            <VoicePicker choice={choice} onChoice={setChosen} />
          </div>
          <Field label="Style" isOptional>
            <Textarea
              rows={2}
              maxLength={4000}
              placeholder="You work for a bakery and speak slowly."
              value={style}
              onChange={(event) => setStyle(event.target.value)}
            />
          </Field>
          <div className="flex flex-wrap items-center gap-3">
            {state === "live" ? (
              <Button look="danger" onClick={() => call.current?.hangUp()}>
                <PhoneIcon />
                Hang up
              </Button>
            ) : (
              <Button look="primary" isBusy={state === "connecting"} onClick={dial}>
                <PhoneIcon />
                Call
              </Button>
            )}
            {state === "live" && (
              <>
                <Badge tone="good">Connected</Badge>
                <span className="inline-flex items-center gap-2 text-sm text-muted">
                  You <Level label="Your level" level={levels[0]!} />
                </span>
                <span className="inline-flex items-center gap-2 text-sm text-muted">
                  Server <Level label="Level of the server" level={levels[1]!} />
                </span>
              </>
            )}
          </div>
          {run.error && <RunState run={run} />}
        </div>
      </Card>
      <div className="grid items-start gap-4 lg:grid-cols-[3fr_2fr]">
        <Card title="Transcript">
          <div role="log" aria-label="Transcript" className="grid gap-3">
            {lines.length === 0 && <EmptyState title="Nothing said yet">Sound is written nowhere.</EmptyState>}
            {lines.map((line, index) => (
              <Bubble key={index} isMine={line.isMine} text={line.text}>
                {line.isCut && (
                  <span>
                    <Badge tone="warn">interrupted</Badge>
                  </span>
                )}
              </Bubble>
            ))}
          </div>
          {state === "live" && (
            <form
              className="mt-4 flex gap-2"
              onSubmit={(event) => {
                event.preventDefault();
                if (text.trim() === "") return;
                call.current?.say(text);
                if (mode === "assistant") write("typed", true, text, false);
                setText("");
              }}
            >
              <Field
                label={mode === "external" ? "What the server says" : "A turn in writing"}
                isLabelHidden
                className="flex-1"
              >
                <Input
                  value={text}
                  placeholder={mode === "external" ? "What the server is to say" : "Or write"}
                  onChange={(event) => setText(event.target.value)}
                />
              </Field>
              <Button type="submit">Send</Button>
            </form>
          )}
        </Card>
        <Card title="Latency" description="From the end of your voice to each stage of the answer.">
          {latencies.length === 0 ? (
            <p className="text-sm text-faint">With the first answer.</p>
          ) : (
            <LatencyChart latencies={latencies} />
          )}
        </Card>
      </div>
    </PlaygroundFrame>
  );
}
