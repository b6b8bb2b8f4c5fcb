import { form } from "../support/call.ts";

const clusters = (count: number) => "é".repeat(count);
const family = "👩‍👩‍👧‍👦";
const wav = (bytes: number) => {
  const file = Buffer.alloc(bytes);
  file.write("RIFF", 0);
  file.writeUInt32LE(bytes - 8, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(8000, 24);
  file.writeUInt32LE(8000, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write("data", 36);
  file.writeUInt32LE(bytes - 44, 40);
  return new Blob([file.fill(0x80, 44)], { type: "audio/wav" });
};
const text = (content: string) => new Blob([content], { type: "text/plain" });
const tool = (n: number) => ({ type: "function", function: { name: `f${n}`, parameters: { type: "object" } } });
const turns = (count: number, content: string) => Array.from({ length: count }, () => ({ role: "user", content }));
const manyFields = Array.from({ length: 100 }, (_, n) => ({
  name: `f${n}`,
  labels: Array.from({ length: 20 }, (_, m) => `Label ${n} ${m}`),
}));
const model = "local/tinyllama-1.1b-chat";

/** The dearest bodies that are accepted, by route: tested in worst-accepted.test.ts, timed by bench/hostile/worst.ts. */
export const worst: readonly (readonly [path: string, body: unknown])[] = [
  ["/v1/speech", { text: clusters(3000) }],
  ["/v1/speech", { text: "1234567890".repeat(300) }],
  ["/v1/speech", { text: "M.".repeat(1500), format: "mp3" }],
  ["/v1/audio/speech", { model: "tts-1", input: clusters(3000), voice: "alloy" }],
  ["/v1/translate", { text: "a ".repeat(1500), target_language: "es" }],
  ["/v1/translate", { text: `${family} `.repeat(250), target_language: "de" }],
  ["/v1/chat", { message: "я".repeat(32_000) }],
  ["/v1/chat", { messages: turns(256, "я ".repeat(62)) }],
  ["/v1/embeddings", { input: Array(64).fill("é".repeat(500)) }],
  ["/v1/personas", { name: "é".repeat(80), style_text: "é".repeat(4000) }],
  ["/v1/realtime/session", { style_text: "é".repeat(4000) }],
  ["/v1/realtime/tts", { language: "en-us" }],
  ["/v1/transcribe", form({ file: wav(4_400_000) })],
  ["/v1/dub", form({ file: wav(4_400_000), target_language: "es" })],
  ["/gateway/v1/chat/completions", { model, messages: turns(60_000, "a") }],
  ["/gateway/v1/chat/completions", { model, messages: turns(1, "x".repeat(20_000_000)) }],
  [
    "/gateway/v1/chat/completions",
    { model, messages: turns(1, "a"), tools: Array.from({ length: 30_000 }, (_, n) => tool(n)) },
  ],
  ["/gateway/v1/embeddings", { model: "local/bge-small-en-v1.5", input: Array(100_000).fill("a") }],
  ["/gateway/v1/responses", { model, input: "a ".repeat(10_000_000) }],
  ["/gateway/v1/messages", { model, max_tokens: 1, messages: turns(60_000, "a") }],
  ["/gateway/v1/rerank", { model: "local/bge-small-en-v1.5", query: "a", documents: Array(100_000).fill("a") }],
  ["/gateway/v1/audio/speech", { model: "local/kokoro-82m", input: clusters(4000), voice: "af_heart" }],
  ["/gateway/v1/audio/transcriptions", form({ file: wav(20_000_000), model: "local/moonshine-base" })],
  ["/extraction/v1/templates", { name: "t", fields: manyFields }],
  ["/extraction/v1/extract", form({ file: text("Total 1,00\n".repeat(90_000)) })],
  ["/extraction/v1/extract", form({ file: text("a ".repeat(500_000)) })],
  ["/extraction/v1/extract", form({ file: text("9".repeat(1_000_000)) })],
];

/** As it goes over the wire. */
export async function encodeBody(body: unknown): Promise<{ bytes: Buffer; type: string }> {
  const response = body instanceof FormData ? new Response(body) : Response.json(body);
  return { bytes: Buffer.from(await response.arrayBuffer()), type: response.headers.get("content-type")! };
}
