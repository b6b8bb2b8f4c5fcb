import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { HearingRequest, TranscriptionEngine } from "../../../ports/transcription-engine.ts";
import { createOpenAiTranscription } from "./openai-transcription.ts";
import { routeByLanguage } from "./route-by-language.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

interface Asked {
  form: FormData;
  authorization: string | undefined;
}

/** A real server that answers what it is told to. */
async function recogniser(
  answer: (asked: Asked) => { status?: number; headers?: Record<string, string>; body: unknown },
) {
  const asked: Asked[] = [];
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const headers = { "content-type": request.headers["content-type"]! };
    const form = await new Response(Buffer.concat(parts), { headers }).formData();
    asked.push({ form, authorization: request.headers.authorization });
    const { status = 200, headers: extra = {}, body } = answer(asked.at(-1)!);
    response.writeHead(status, { "content-type": "application/json", ...extra });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

const request: HearingRequest = {
  samples: new Float32Array(16_000),
  speechMs: 900,
  language: undefined,
  isInterim: false,
  key: "k",
  flow: "f",
};
const signal = new AbortController().signal;
const connect = (baseUrl: string, languages: string[] = []) =>
  createOpenAiTranscription({ baseUrl, model: "whisper-large", languages, apiKey: "secret", timeoutMs: 2000 });

describe("a remote recogniser", () => {
  it("gets a WAV with its key and model, and its own language wins", async () => {
    const body = { text: " Guten Tag. ", language: "german", segments: [{ avg_logprob: -0.1 }] };
    const { baseUrl, asked } = await recogniser(() => ({ body }));
    const heard = await connect(baseUrl).hear(request, signal);
    expect(heard).toEqual({ text: "Guten Tag.", language: "de", confidence: Math.exp(-0.1), model: "whisper-large" });
    const file = asked[0]!.form.get("file") as File;
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe("RIFF");
    expect(asked[0]!.form.get("model")).toBe("whisper-large");
    expect(asked[0]!.form.has("language")).toBe(false);
    expect(asked[0]!.authorization).toBe("Bearer secret");
  });

  it("is told the language that was pinned", async () => {
    const { baseUrl, asked } = await recogniser(() => ({ body: { text: "Olá." } }));
    const heard = await connect(baseUrl).hear({ ...request, language: "pt-br" }, signal);
    expect([asked[0]!.form.get("language"), heard.language]).toEqual(["pt", "pt-br"]);
  });

  it("that only knows the short answer is asked for it", async () => {
    const { baseUrl } = await recogniser(({ form }) =>
      form.get("response_format") === "json" ? { body: { text: "hi" } } : { status: 400, body: { error: "format" } },
    );
    const engine = connect(baseUrl, ["fr"]);
    expect(await engine.hear(request, signal)).toMatchObject({ text: "hi", language: "fr" });
  });

  it("is not believed about a language it does not serve", async () => {
    const { baseUrl } = await recogniser(() => ({ body: { text: "Hello", language: "english" } }));
    expect(await connect(baseUrl, ["de", "fr"]).hear(request, signal)).toMatchObject({ text: "", language: "und" });
  });

  it.each([
    ["busy", { status: 429, headers: { "retry-after": "7" }, body: {} }, "engine_busy"],
    ["broken", { status: 500, body: {} }, "engine_unavailable"],
    ["talking nonsense", { body: "<html>" }, "engine_unavailable"],
    ["sending something else", { body: { words: [] } }, "engine_unavailable"],
  ])("that is %s is a problem with a name", async (_name, answer, kind) => {
    const { baseUrl } = await recogniser(() => answer);
    await expect(connect(baseUrl).hear(request, signal)).rejects.toMatchObject({ kind });
  });

  it("that is not there is unavailable", async () => {
    const error = await connect("http://127.0.0.1:9/v1")
      .hear(request, signal)
      .catch((caught) => caught);
    expect(error).toMatchObject({ kind: "engine_unavailable", message: "The transcription server cannot be reached." });
  });
});

describe("several recognisers", () => {
  const pretend = (languages: string[], says: string, language = languages[0] ?? "und"): TranscriptionEngine => ({
    languages: () => languages,
    hear: async () => ({ text: language === "und" ? "" : says, language, confidence: 1 }),
  });

  it("are each asked for the languages they serve", async () => {
    const engine = routeByLanguage([pretend(["en-us", "es"], "local"), pretend(["de"], "remote")]);
    expect(engine.languages()).toEqual(["en-us", "es", "de"]);
    expect((await engine.hear({ ...request, language: "de" }, signal)).text).toBe("remote");
    expect((await engine.hear({ ...request, language: "es" }, signal)).text).toBe("local");
  });

  it("are asked in turn until one knows the language", async () => {
    const engine = routeByLanguage([pretend(["en-us"], "local", "und"), pretend(["de"], "remote")]);
    expect((await engine.hear(request, signal)).text).toBe("remote");
  });

  it("stand in for each other when one is down", async () => {
    const { baseUrl } = await recogniser(() => ({ status: 503, body: {} }));
    const engine = routeByLanguage([connect(baseUrl, ["en"]), pretend(["en-us"], "local")]);
    expect((await engine.hear({ ...request, language: "en-us" }, signal)).text).toBe("local");
  });
});
