import type { ComponentType, SVGProps } from "react";
import invoice from "../../../../docs/examples/invoice.pdf?url";
import { callService, jsonRequest, type ServiceName } from "../../api/call-service.ts";
import { FileIcon, GridIcon, ListIcon, TextIcon, WaveIcon } from "../../components/icons.tsx";
import { localModel } from "../../lib/first-requests.ts";

/** What a first request came back with. */
export type Outcome =
  | { kind: "audio"; url: string }
  | { kind: "text"; text: string }
  | { kind: "fields"; fields: [string, string][] };

export interface Trial {
  id: string;
  service: ServiceName;
  title: string;
  text: string;
  icon: ComponentType<SVGProps<SVGSVGElement>>;
  /** As people read it. */
  request: string;
  send(base: string, key: string): Promise<Outcome>;
}

const sentence = "Hello! This sentence was spoken on your own machine.";

async function speak(base: string, key: string): Promise<Blob> {
  return (await callService(`${base}/v1/speech`, key, jsonRequest({ text: sentence }))).blob();
}

/** Real requests with a real key of this session: they count as usage and appear in the list of requests. */
export const trials: readonly Trial[] = [
  {
    id: "speech",
    service: "voice",
    title: "Speak a sentence",
    text: sentence,
    icon: WaveIcon,
    request: "POST /v1/speech",
    send: async (base, key) => ({ kind: "audio", url: URL.createObjectURL(await speak(base, key)) }),
  },
  {
    id: "transcription",
    service: "voice",
    title: "Hear it back",
    text: "Speaks the sentence, then turns the recording into text again.",
    icon: ListIcon,
    request: "POST /v1/transcribe",
    async send(base, key) {
      const form = new FormData();
      form.append("file", await speak(base, key), "hello.wav");
      const reply = await (await callService(`${base}/v1/transcribe`, key, { method: "POST", body: form })).json();
      return { kind: "text", text: reply.text };
    },
  },
  {
    id: "translation",
    service: "voice",
    title: "Translate",
    text: "“Where is the station?” into Spanish.",
    icon: TextIcon,
    request: "POST /v1/translate",
    async send(base, key) {
      const body = { text: "Where is the station?", source_language: "en", target_language: "es" };
      const reply = await (await callService(`${base}/v1/translate`, key, jsonRequest(body))).json();
      return { kind: "text", text: reply.translation };
    },
  },
  {
    id: "gateway",
    service: "gateway",
    title: "Ask a model",
    text: "“What is the capital of France?” to the model inside this server.",
    icon: GridIcon,
    request: "POST /gateway/v1/chat/completions",
    async send(base, key) {
      const body = {
        model: localModel,
        messages: [{ role: "user", content: "What is the capital of France?" }],
        max_tokens: 60,
      };
      const reply = await (await callService(`${base}/chat/completions`, key, jsonRequest(body))).json();
      return { kind: "text", text: reply.choices[0].message.content };
    },
  },
  {
    id: "extraction",
    service: "extraction",
    title: "Read an invoice",
    text: "A sample PDF in; its fields out.",
    icon: FileIcon,
    request: "POST /extraction/v1/extract",
    async send(base, key) {
      const form = new FormData();
      form.append("file", await (await fetch(invoice)).blob(), "invoice.pdf");
      const response = await callService(`${base}/v1/extract`, key, {
        method: "POST",
        body: form,
        headers: { "x-api-key": key },
      });
      return { kind: "fields", fields: flatten(await response.json()) };
    },
  },
];

/** The first fields of a document, however its template nests them. */
function flatten(reply: unknown): [string, string][] {
  const found: [string, string][] = [];
  const walk = (value: unknown, path: string) => {
    if (found.length >= 12 || value === null || value === undefined) return;
    if (Array.isArray(value)) {
      for (const [at, one] of value.slice(0, 2).entries()) walk(one, `${path} ${at + 1}`);
    } else if (typeof value === "object")
      for (const [key, inner] of Object.entries(value)) walk(inner, path ? `${path}.${key}` : key);
    else if (String(value) !== "") found.push([path, String(value)]);
  };
  walk(reply, "");
  return found;
}
