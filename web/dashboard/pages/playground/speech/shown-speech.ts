import { openAiCode, type ShownRequest } from "../kit/request-code.ts";
import { type SpeechWanted, speechBody } from "./speak.ts";

export function shownSpeech(url: string, wanted: SpeechWanted): ShownRequest {
  const { text, voice, speed, format } = wanted;
  const given = { model: "tts-1", input: text, voice, speed, response_format: format };
  return {
    url: `${url}/v1/speech`,
    json: speechBody(wanted),
    saves: `speech.${format}`,
    client: openAiCode(
      `${url}/v1`,
      `const speech = await client.audio.speech.create(${JSON.stringify(given, null, 2)});
await (await import("node:fs/promises")).writeFile("speech.${format}", Buffer.from(await speech.arrayBuffer()));`,
    ),
  };
}
