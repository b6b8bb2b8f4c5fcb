import { costOfSeconds, type Known, type Price } from "../charging/cost.ts";
import { estimateUnits } from "../charging/estimate.ts";
import { highest } from "../charging/prices.ts";
import type { EndpointDescriptor } from "../pipeline/endpoint.ts";
import { audioSeconds } from "./audio-seconds.ts";
import { hearLocally } from "./hear-locally.ts";
import { type TranscriptionWanted, transcriptionForm, transcriptReply } from "./schema.ts";
import { writeTranscript } from "./write-transcript.ts";

/** The lowest rate at which people record speech, for holds, and a usual one, for estimates; bytes a second. */
const lowestRate = 1_000;
const usualRate = 16_000;
const tokensPerSecond = 30;
const tokensWrittenPerSecond = 4;

/** Billed by the length of the recording, or by tokens. */
export const transcriptions: EndpointDescriptor<TranscriptionWanted> = {
  name: "audio/transcriptions",
  path: "/audio/transcriptions",
  summary: "Speech to text",
  schema: transcriptionForm,
  reply: transcriptReply,
  takes: "form",
  gives: "text",
  local: (gateway, request, reply, wanted) => hearLocally(gateway, request, reply, wanted, "transcribe"),
  estimate({ body: { file } }, listed) {
    const seconds = audioSeconds(file.bytes) ?? file.bytes.length / lowestRate;
    const prices = listed.map((one) => one?.prices);
    const price = highest([undefined, ...prices.map((one) => one?.second)]);
    return estimateUnits(price === undefined ? 1 : seconds, price, prices.find(Boolean), seconds * tokensPerSecond);
  },
  price: ({ file }, known) => priceOfSeconds(file.bytes, known),
  inputTokens: ({ file }) => secondsOf(file.bytes) * tokensPerSecond,
  outputTokens: ({ file }) => Math.ceil(secondsOf(file.bytes) * tokensWrittenPerSecond),
  contentType: () => "text/plain; charset=utf-8",
  ownShape({ kind: { transcription: shape } }) {
    if (!shape) return undefined;
    return {
      call: shape.call,
      read(reply) {
        const transcript = shape.read(reply);
        if (!transcript) return undefined;
        return (wanted) => ({
          ...writeTranscript(transcript, wanted, "transcribe"),
          told: { duration: transcript.seconds },
        });
      },
    };
  },
};

const { ownShape: _none, ...asTranscriptions } = transcriptions;
export const translations: EndpointDescriptor<TranscriptionWanted> = {
  ...asTranscriptions,
  name: "audio/translations",
  path: "/audio/translations",
  summary: "Audio to English text",
  local: (gateway, request, reply, wanted) => hearLocally(gateway, request, reply, wanted, "translate"),
};

/** By the length of the recording, where the model is billed so: as the upstream tells it, else as the file says. */
function priceOfSeconds(file: Buffer, { prices, tokens, seconds, body }: Known): Price | undefined {
  const price = prices?.second;
  if (price === undefined) return undefined;
  const told = seconds ?? (typeof body?.duration === "number" ? body.duration : 0);
  if (told > 0) return { cost: costOfSeconds(told, price), source: "units" };
  if (tokens !== undefined) return undefined;
  const isGuess = audioSeconds(file) === undefined;
  return { cost: costOfSeconds(secondsOf(file), price), source: isGuess ? "estimated" : "units" };
}

function secondsOf(file: Buffer): number {
  return audioSeconds(file) ?? file.length / usualRate;
}
