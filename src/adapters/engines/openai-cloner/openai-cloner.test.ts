import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { encodeWhole } from "../../../audio/encode.ts";
import type { ClonedVoice } from "../../../ports/voice-cloner.ts";
import { createOpenAiCloner } from "./openai-cloner.ts";

const languages = [{ code: "en-us", label: "English", engine: "engine_a" as const, voices: [{ id: "a", label: "A" }] }];
const tone = Float32Array.from({ length: 24_000 }, (_, i) => 0.3 * Math.sin(i * 0.08));
const signal = new AbortController().signal;
const turn = { key: "k", flow: "f" };
const request = { text: "Hello", language: "en-us", voice: "a", speed: 1, ...turn };

let close: (() => void) | undefined;
afterEach(() => close?.());

async function serving() {
  const bodies: Record<string, unknown>[] = [];
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    bodies.push(JSON.parse(Buffer.concat(parts).toString()));
    response.end(await encodeWhole("wav", tone, 24_000));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => server.close();
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { bodies, cloner: createOpenAiCloner({ baseUrl, model: "qwen3-tts", languages: () => languages }) };
}

async function speak(cloner: ReturnType<typeof createOpenAiCloner>, voice: ClonedVoice) {
  const chunks = [];
  for await (const chunk of cloner.speak(request, voice, signal)) chunks.push(chunk);
  return chunks;
}

it("the clip and its words go along with what is to be spoken, and the voice survives JSON", async () => {
  const { bodies, cloner } = await serving();
  const voice = await cloner.clone({ samples: tone, text: "so it goes", effort: "quick", ...turn }, signal);
  const [chunk] = await speak(cloner, JSON.parse(JSON.stringify(voice)));
  expect(chunk!.sampleRateHz).toBe(24_000);
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).toMatchObject({ model: "qwen3-tts", input: "Hello", task_type: "Base", ref_text: "so it goes" });
  const [head, audio] = (bodies[0]!.ref_audio as string).split(",");
  expect(head).toBe("data:audio/wav;base64");
  expect(Buffer.from(audio!, "base64").subarray(0, 4).toString()).toBe("RIFF");
});

it("a clip whose words are not known is used by its sound alone", async () => {
  const { bodies, cloner } = await serving();
  await speak(cloner, await cloner.clone({ samples: tone, text: undefined, effort: "quick", ...turn }, signal));
  expect(bodies[0]).toMatchObject({ x_vector_only_mode: true });
  expect(bodies[0]).not.toHaveProperty("ref_text");
});

it("a voice of another maker is refused", async () => {
  const { cloner } = await serving();
  expect(() => cloner.speak(request, { maker: "local", data: {} }, signal)).toThrow(/another cloner/);
});
