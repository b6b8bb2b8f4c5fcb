import { useState } from "react";
import { jsonRequest } from "../../../api/call-service.ts";
import { AudioPlayer } from "../../../components/audio-player.tsx";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Field, Textarea } from "../../../components/field.tsx";
import { toast } from "../../../components/toast.tsx";
import { defaultVoice } from "../kit/default-voice.ts";
import { PlaygroundFrame } from "../kit/frame.tsx";
import type { ShownRequest } from "../kit/request-code.ts";
import { RunState } from "../kit/run-state.tsx";
import { useRun } from "../kit/use-run.ts";
import { useService } from "../kit/use-service.ts";
import { useUrls } from "../kit/use-urls.ts";
import { type Choice, useVoices, VoicePicker } from "../kit/voice-picker.tsx";
import { shownSpeech } from "./shown-speech.ts";

const sides = ["first", "second"] as const;

/** Two voices say the same. */
export default function ComparePage() {
  const voice = useService("voice");
  const urlOf = useUrls();
  const runs = [useRun(), useRun()] as const;
  const { languages, start } = useVoices();
  const [text, setText] = useState("How much wood would a woodchuck chuck? Nobody knows, but I can say it clearly.");
  const [chosen, setChosen] = useState<(Choice | undefined)[]>([]);
  const [heard, setHeard] = useState<(string | undefined)[]>([]);
  const [request, setRequest] = useState<ShownRequest>();
  const others = languages.find(({ code }) => code === start.language)?.voices ?? [];
  const second = { ...start, voice: others.find(({ id }) => id !== start.voice)?.id ?? start.voice };
  const choices: Choice[] = [chosen[0] ?? start, chosen[1] ?? second];
  const put = <Value,>(values: (Value | undefined)[], index: number, value: Value) =>
    sides.map((_, at) => (at === index ? value : values[at]));

  const speak = (index: 0 | 1) =>
    runs[index].start(async (signal) => {
      const wanted = { text, ...choices[index]!, speed: 1, format: "wav" as const };
      setRequest(shownSpeech(voice.url, wanted));
      const body = { text, language: wanted.language, voice: wanted.voice };
      const response = await voice.send("/v1/speech", { ...jsonRequest(body), signal });
      const url = urlOf(await response.blob());
      setHeard((old) => put(old, index, url));
    });
  return (
    <PlaygroundFrame
      title="Compare voices"
      description="Two voices say the same text. The one you like can be the default of the playground."
      capabilities={["speech", "phonemes"]}
      request={request}
    >
      <Card>
        <div className="grid gap-4">
          <Field label="Text">
            <Textarea value={text} maxLength={3000} rows={2} onChange={(event) => setText(event.target.value)} />
          </Field>
          <div>
            <Button
              look="primary"
              isBusy={runs[0].isBusy || runs[1].isBusy}
              disabled={text.trim() === ""}
              onClick={() => Promise.all([speak(0), speak(1)])}
            >
              Let both speak
            </Button>
          </div>
        </div>
      </Card>
      <div className="grid gap-4 lg:grid-cols-2">
        {sides.map((side, index) => {
          const choice = choices[index]!;
          return (
            <Card key={side} title={`The ${side}`}>
              <div className="grid gap-4">
                <div className="grid gap-4 sm:grid-cols-2">
                  <VoicePicker
                    choice={choice}
                    suffix={`, ${side}`}
                    onChoice={(next) => setChosen((old) => put(old, index, next))}
                  />
                </div>
                {heard[index] && <AudioPlayer src={heard[index]} label={`the ${side} voice`} />}
                <RunState run={runs[index]!} />
                <div>
                  <Button
                    isSmall
                    onClick={() => {
                      defaultVoice.set(choice);
                      toast(`The playground now begins with ${choice.voice} in this browser.`);
                    }}
                  >
                    Set as default
                  </Button>
                </div>
              </div>
            </Card>
          );
        })}
      </div>
    </PlaygroundFrame>
  );
}
