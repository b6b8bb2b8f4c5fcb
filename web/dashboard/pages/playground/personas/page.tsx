import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { jsonRequest } from "../../../api/call-service.ts";
import { useWorkspace } from "../../../api/use-session.ts";
import { AudioPlayer } from "../../../components/audio-player.tsx";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Checkbox, Field, Input, Segments } from "../../../components/field.tsx";
import { FileDrop } from "../../../components/file-drop.tsx";
import { toast } from "../../../components/toast.tsx";
import { fileForm } from "../kit/file-form.ts";
import { PlaygroundFrame } from "../kit/frame.tsx";
import { Recorder } from "../kit/recorder.tsx";
import type { ShownRequest } from "../kit/request-code.ts";
import { RunState } from "../kit/run-state.tsx";
import { useRun } from "../kit/use-run.ts";
import { useService } from "../kit/use-service.ts";
import { useUrls } from "../kit/use-urls.ts";
import { type Choice, useVoices, VoicePicker } from "../kit/voice-picker.tsx";
import { MannerFields } from "./manner-fields.tsx";
import type { Persona } from "./persona.ts";
import { PersonaList } from "./persona-list.tsx";

/** How often a clone that is being built is looked at. */
const lookMs = 2000;
const sample = "Welcome! How can I help you today?";
const still = { pace: 0, pitch: 0, volume: 0 };
const plain = { tone: "", style: "" };

export default function PersonasPage() {
  const voice = useService("voice");
  const run = useRun();
  const urlOf = useUrls();
  const client = useQueryClient();
  const { workspaceId } = useWorkspace();
  const { start } = useVoices();
  const [from, setFrom] = useState<"voice" | "clip">("voice");
  const [name, setName] = useState("Front desk");
  const [chosenVoice, setChosenVoice] = useState<Choice>();
  const [manner, setManner] = useState(plain);
  const [sliders, setSliders] = useState(still);
  const [clip, setClip] = useState<File>();
  const [consent, setConsent] = useState("");
  const [hasConsent, setHasConsent] = useState(false);
  /** The persona that is being retuned. */
  const [retuned, setRetuned] = useState<Persona>();
  const [heard, setHeard] = useState<{ src: string; label: string }>();
  const [request, setRequest] = useState<ShownRequest>();
  const choice = chosenVoice ?? start;
  const personas = useQuery({
    queryKey: ["personas", workspaceId],
    queryFn: async () => (await (await voice.send("/v1/personas?limit=100")).json()).personas as Persona[],
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === "processing") ? lookMs : false),
  });
  const refresh = () => client.invalidateQueries({ queryKey: ["personas", workspaceId] });
  const given = {
    ...(manner.tone ? { tone_preset: manner.tone } : {}),
    ...(manner.style.trim() ? { style_text: manner.style } : {}),
  };

  const speak = (body: object, label: string) =>
    run.start(async (signal) => {
      setRequest({ url: `${voice.url}/v1/speech`, json: body, saves: "speech.wav" });
      const response = await voice.send("/v1/speech", { ...jsonRequest(body), signal });
      setHeard({ src: urlOf(await response.blob()), label });
    });
  const preview = (file: File) =>
    run.start(async (signal) => {
      const { body, form } = fileForm(file, { text: sample, ...given });
      setRequest({ url: `${voice.url}/v1/personas/preview`, form, saves: "preview.wav" });
      const response = await voice.send("/v1/personas/preview", { method: "POST", body, signal });
      setHeard({ src: urlOf(await response.blob()), label: name });
    });
  const hear = () => {
    if (retuned) return speak({ text: sample, persona_id: retuned.id, ...given }, name);
    if (from === "voice") return speak({ text: sample, ...choice, ...given }, name);
    if (clip) return preview(clip);
  };
  const save = () =>
    run.start(async (signal) => {
      if (retuned) {
        const body = { name, tone_preset: manner.tone || null, style_text: manner.style || null };
        setRequest({ method: "PATCH", url: `${voice.url}/v1/personas/${retuned.id}`, json: body });
        await voice.send(`/v1/personas/${retuned.id}`, { ...jsonRequest(body), method: "PATCH", signal });
        toast(`${name} is retuned.`);
        setRetuned(undefined);
      } else if (from === "voice") {
        const body = { name, base_voice: choice.voice, language: choice.language, ...given };
        setRequest({ url: `${voice.url}/v1/personas`, json: body });
        await voice.send("/v1/personas", { ...jsonRequest(body), signal });
      } else if (clip) {
        const { body, form } = fileForm(clip, { name, consent, ...given });
        setRequest({ url: `${voice.url}/v1/personas`, form });
        await voice.send("/v1/personas", { method: "POST", body, signal });
      }
      await refresh();
    });
  const retune = (persona: Persona) => {
    setRetuned(persona);
    setName(persona.name);
    setManner({ tone: persona.tonePreset ?? "", style: persona.styleText ?? "" });
    setSliders(still);
    window.scrollTo({ top: 0, behavior: "smooth" });
  };
  // A voice is heard, too, only when its owner agreed.
  const cannotHear = !retuned && from === "clip" && !(clip && hasConsent && consent.trim());
  const cannotSave = name.trim() === "" || cannotHear;
  return (
    <PlaygroundFrame
      title="Personas"
      description="A voice, a tone and a style under one name, for every request that speaks."
      capabilities={["speech", "cloning"]}
      request={request}
    >
      <Card title={retuned ? `Retune ${retuned.name}` : "New persona"}>
        <div className="grid gap-4">
          {!retuned && (
            <Segments<"voice" | "clip">
              label="Made from"
              value={from}
              options={[
                { value: "voice", label: "A voice of the catalog" },
                { value: "clip", label: "A recorded voice" },
              ]}
              onChange={setFrom}
            />
          )}
          {!retuned && from === "clip" && (
            <>
              <FileDrop
                label="Drop 3 to 40 seconds of one person"
                hint="About 12 seconds without noise are best"
                accept="audio/*"
                file={clip}
                onFile={setClip}
              />
              <div>
                <Recorder onFile={setClip} />
              </div>
              <Field label="Who agreed, and how you know">
                <Input
                  maxLength={500}
                  placeholder="Ann Example, by e-mail of 3 May"
                  value={consent}
                  onChange={(event) => setConsent(event.target.value)}
                />
              </Field>
              <Checkbox
                label="This person agreed to their voice being cloned"
                checked={hasConsent}
                onChange={(event) => setHasConsent(event.target.checked)}
              />
            </>
          )}
          <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
            <Field label="Name">
              <Input maxLength={80} value={name} onChange={(event) => setName(event.target.value)} />
            </Field>
            {!retuned && from === "voice" && <VoicePicker choice={choice} onChoice={setChosenVoice} />}
            <MannerFields
              manner={manner}
              sliders={sliders}
              onChange={(next, at) => {
                setManner(next);
                setSliders(at);
              }}
            />
          </div>
          <div className="flex flex-wrap gap-2">
            <Button look="primary" isBusy={run.isBusy} disabled={cannotSave} onClick={save}>
              {retuned ? "Save changes" : "Save persona"}
            </Button>
            <Button isBusy={run.isBusy} disabled={cannotHear} onClick={hear}>
              Hear it first
            </Button>
            {retuned && <Button onClick={() => setRetuned(undefined)}>Cancel</Button>}
          </div>
          <RunState run={run} />
          {heard && <AudioPlayer src={heard.src} label={heard.label} startsByItself />}
        </div>
      </Card>
      <PersonaList
        personas={personas.data ?? []}
        chosen={retuned?.id}
        onSpeak={(persona) => speak({ text: sample, persona_id: persona.id }, persona.name)}
        onRetune={retune}
        onDelete={async (id) => {
          await voice.send(`/v1/personas/${id}`, { method: "DELETE" });
          await refresh();
        }}
      />
    </PlaygroundFrame>
  );
}
