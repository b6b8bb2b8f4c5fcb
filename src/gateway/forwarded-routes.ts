import { z } from "zod";
import { Problem } from "../platform/errors.ts";
import type { HttpApp } from "../platform/http/create-server.ts";
import { fileField } from "../platform/http/form.ts";
import { model, problemReplies } from "./fields.ts";

const config = { scope: "gateway:read" };

function unavailable(): never {
  throw new Problem("gateway_unavailable", "No upstream gateway is configured. Set SVC_GATEWAY_UPSTREAM_URL.");
}

export function addForwardedRoutes(app: HttpApp): void {
  const json: [path: string, summary: string, body: z.ZodType][] = [
    [
      "/chat/completions",
      "Chat completions",
      z.looseObject({ model, messages: z.array(z.looseObject({ role: z.string() })).min(1) }),
    ],
    ["/embeddings", "Embeddings", z.looseObject({ model, input: z.union([z.string(), z.array(z.any())]) })],
    ["/images/generations", "Image generation", z.looseObject({ model, prompt: z.string() })],
    [
      "/audio/speech",
      "Text to speech",
      z.looseObject({ model, input: z.string(), speed: z.number().min(0.25).max(4).optional() }),
    ],
    ["/videos/generations", "Video generation", z.looseObject({ model, prompt: z.string() })],
    ["/rerank", "Reranking", z.looseObject({ model, query: z.string(), documents: z.array(z.any()).min(1) })],
    ["/realtime/token", "Ephemeral realtime token", z.looseObject({ model })],
  ];
  for (const [path, summary, body] of json) {
    app.post(path, { config, schema: { summary, body, response: { ...problemReplies } } }, async () => unavailable());
  }
  const form = z.looseObject({ file: fileField(25_000_000, "Audio, up to 25 MB."), model });
  for (const [path, summary] of [
    ["/audio/transcriptions", "Speech to text"],
    ["/audio/translations", "Audio to English text"],
  ] as const) {
    app.post(path, { config: { ...config, form }, schema: { summary, response: { ...problemReplies } } }, async () =>
      unavailable(),
    );
  }
}
