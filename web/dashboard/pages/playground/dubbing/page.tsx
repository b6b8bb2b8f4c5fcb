import { useState } from "react";
import { useApi } from "../../../api/use-api.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Checkbox, Field, Select } from "../../../components/field.tsx";
import { FileDrop } from "../../../components/file-drop.tsx";
import { StopIcon } from "../../../components/icons.tsx";
import { Progress } from "../../../components/progress.tsx";
import { fileForm } from "../kit/file-form.ts";
import { PlaygroundFrame } from "../kit/frame.tsx";
import { readEvents } from "../kit/read-events.ts";
import { Recorder } from "../kit/recorder.tsx";
import type { ShownRequest } from "../kit/request-code.ts";
import { RunState } from "../kit/run-state.tsx";
import { useRun } from "../kit/use-run.ts";
import { useService } from "../kit/use-service.ts";
import { useUrls } from "../kit/use-urls.ts";
import { useVoices } from "../kit/voice-picker.tsx";
import { type Dub, DubResult } from "./dub-result.tsx";

type DubEvent =
  | { type: "progress"; stage: string; fraction: number }
  | ({ type: "result"; audio: string } & Dub)
  | { type: "error"; error: { message: string } };

export default function DubPage() {
  const voice = useService("voice");
  const run = useRun();
  const urlOf = useUrls();
  const { languages } = useVoices();
  const { data } = useApi("listLanguages");
  const [file, setFile] = useState<File>();
  const [source, setSource] = useState("");
  const [target, setTarget] = useState("es");
  const [spoken, setSpoken] = useState("");
  const [isPreserved, setPreserved] = useState(false);
  const [isTimed, setTimed] = useState(true);
  const [progress, setProgress] = useState<{ stage: string; fraction: number }>();
  const [result, setResult] = useState<{ dub: Dub; src: string }>();
  const [request, setRequest] = useState<ShownRequest>();
  const reached = new Set(
    (data?.languages ?? []).flatMap(({ translatesInto }) => translatesInto.map(({ code }) => code)),
  );
  const targets = languages.filter(({ code }) => reached.has(code));
  const voices = languages.find(({ code }) => code === target)?.voices ?? [];

  const take = (given: File) => {
    setFile(given);
    setSource(urlOf(given));
    setResult(undefined);
  };
  const dub = (given: File) =>
    run.start(async (signal) => {
      setResult(undefined);
      setProgress({ stage: "sending", fraction: 0 });
      const fields: Record<string, string> = {
        target_language: target,
        timing: String(isTimed),
        ...(isPreserved ? { preserve_voice: "true" } : spoken ? { voice: spoken } : {}),
      };
      const { body, form } = fileForm(given, fields);
      setRequest({ url: `${voice.url}/v1/dub`, form });
      const headers = { accept: "text/event-stream" };
      const response = await voice.send("/v1/dub", { method: "POST", body, headers, signal });
      for await (const event of readEvents<DubEvent>(response)) {
        if (event.type === "error") throw new Error(event.error.message);
        if (event.type === "progress") setProgress(event);
        else setResult({ dub: event, src: urlOf(wavOf(event.audio)) });
      }
    });
  return (
    <PlaygroundFrame
      title="Dub"
      description="The same words in another language: heard, translated and spoken."
      capabilities={["transcription", "translation", "speech", "media"]}
      request={request}
    >
      <Card>
        <div className="grid gap-4">
          <FileDrop
            label="Drop a recording or video here"
            hint="mp3, m4a, wav, webm, mp4; up to 15 minutes"
            accept="audio/*,video/*"
            file={file}
            onFile={take}
          />
          <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
            <Field label="Into">
              <Select
                value={target}
                onChange={(event) => {
                  setTarget(event.target.value);
                  setSpoken("");
                }}
              >
                {targets.map(({ code, label }) => (
                  <option key={code} value={code}>
                    {label}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label="Voice">
              <Select value={spoken} disabled={isPreserved} onChange={(event) => setSpoken(event.target.value)}>
                <option value="">As high as the speaker's</option>
                {voices.map(({ id, label }) => (
                  <option key={id} value={id}>
                    {label}
                  </option>
                ))}
              </Select>
            </Field>
            <Checkbox
              label="Keep the voice"
              hint="Cloned for this request only. For voices whose owners agreed."
              checked={isPreserved}
              onChange={(event) => setPreserved(event.target.checked)}
            />
            <Checkbox
              label="Keep the timing"
              hint="Each sentence begins when it did."
              checked={isTimed}
              onChange={(event) => setTimed(event.target.checked)}
            />
          </div>
          <div className="flex flex-wrap gap-2">
            <Button look="primary" isBusy={run.isBusy} disabled={!file} onClick={() => file && dub(file)}>
              Dub
            </Button>
            {run.isBusy ? (
              <Button onClick={run.stop}>
                <StopIcon />
                Stop
              </Button>
            ) : (
              <Recorder onFile={take} />
            )}
          </div>
          {run.isBusy && progress && (
            <div role="status" className="grid gap-1.5 text-sm text-muted">
              {progress.stage}
              <Progress label={progress.stage} fraction={progress.fraction} />
            </div>
          )}
          <RunState run={run} />
        </div>
      </Card>
      {result && <DubResult dub={result.dub} src={result.src} source={source} />}
    </PlaygroundFrame>
  );
}

function wavOf(base64: string): Blob {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new Blob([bytes], { type: "audio/wav" });
}
