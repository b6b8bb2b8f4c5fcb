import { useState } from "react";
import { useApi } from "../../../api/use-api.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Field, Select } from "../../../components/field.tsx";
import { FileDrop } from "../../../components/file-drop.tsx";
import { fileForm } from "../kit/file-form.ts";
import { PlaygroundFrame } from "../kit/frame.tsx";
import { Recorder } from "../kit/recorder.tsx";
import { openAiCode, type ShownRequest } from "../kit/request-code.ts";
import { RunState } from "../kit/run-state.tsx";
import { useRun } from "../kit/use-run.ts";
import { useService } from "../kit/use-service.ts";
import { useUrls } from "../kit/use-urls.ts";
import { TranscriptCard } from "./transcript-card.tsx";
import type { Transcript } from "./transcript-text.ts";

export default function TranscribePage() {
  const voice = useService("voice");
  const run = useRun();
  const urlOf = useUrls();
  const { data } = useApi("listLanguages");
  const [file, setFile] = useState<File>();
  const [src, setSrc] = useState("");
  const [language, setLanguage] = useState("auto");
  const [transcript, setTranscript] = useState<Transcript>();
  const [request, setRequest] = useState<ShownRequest>();
  const heard = (data?.languages ?? []).filter((one) => one.heard !== "no");

  const send = (given: File) =>
    run.start(async (signal) => {
      setTranscript(undefined);
      const fields = { language, timestamps: "word" };
      const { body, form } = fileForm(given, fields);
      setRequest({ url: `${voice.url}/v1/transcribe`, form, client: clientCode(voice.url, given.name) });
      const response = await voice.send("/v1/transcribe", { method: "POST", body, signal });
      const reply = await response.json();
      setTranscript({ segments: [], ...reply });
    });
  const take = (given: File) => {
    setFile(given);
    setSrc(urlOf(given));
    void send(given);
  };
  return (
    <PlaygroundFrame
      title="Transcribe"
      description="A recording in, its words with their times out. Words light up while it plays; a click on one goes there."
      capabilities={["transcription", "voice-activity", "media"]}
      request={request}
    >
      <Card>
        <div className="grid gap-4">
          <FileDrop
            label="Drop a recording or video here"
            hint="mp3, m4a, wav, webm, mp4, ogg, flac"
            accept="audio/*,video/*"
            file={file}
            onFile={take}
          />
          <div className="flex flex-wrap items-end gap-3">
            <Field label="Language" className="w-56">
              <Select value={language} onChange={(event) => setLanguage(event.target.value)}>
                <option value="auto">Detect it</option>
                {heard.map(({ code, label, heard: how }) => (
                  <option key={code} value={code}>
                    {label}
                    {how === "preview" ? " (preview)" : ""}
                  </option>
                ))}
              </Select>
            </Field>
            <Recorder onFile={take} />
            {file && (
              <Button isBusy={run.isBusy} onClick={() => send(file)}>
                Transcribe again
              </Button>
            )}
          </div>
          <RunState run={run} />
        </div>
      </Card>
      {transcript && <TranscriptCard transcript={transcript} src={src} />}
    </PlaygroundFrame>
  );
}

function clientCode(url: string, fileName: string) {
  const lines = `import { createReadStream } from "node:fs";

const transcript = await client.audio.transcriptions.create({
  file: createReadStream(${JSON.stringify(fileName)}),
  model: "whisper-1",
});
console.log(transcript.text);`;
  return openAiCode(`${url}/v1`, lines);
}
