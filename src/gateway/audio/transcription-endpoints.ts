import { costOfSeconds } from "../charging/cost.ts";
import { estimateUnits } from "../charging/estimate.ts";
import type { Meter } from "../charging/meter.ts";
import { highest } from "../charging/prices.ts";
import type { EndpointDescriptor } from "../forwarding/endpoint.ts";
import { estimateProduced } from "../forwarding/settle-unknown.ts";
import type { Json } from "../upstreams/kinds/kind.ts";
import { audioSeconds } from "./audio-seconds.ts";
import { hearLocally } from "./hear-locally.ts";
import { type TranscriptionWanted, transcriptionForm, transcriptReply } from "./schema.ts";
import { writeTranscript } from "./write-transcript.ts";

/** The lowest rate at which people record speech, for holds, and a usual one, for estimates; bytes a second. */
const lowestRate = 1_000;
const usualRate = 16_000;
const tokensPerSecond = 30;

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
  settle(meter, { file }, body) {
    if (body) return settleSeconds(meter, body, file.bytes);
    settleLength(meter, file.bytes);
    return true;
  },
  inputTokens: ({ file }) => (audioSeconds(file.bytes) ?? file.bytes.length / usualRate) * tokensPerSecond,
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
function settleSeconds(meter: Meter, body: Json, file: Buffer): boolean {
  const price = meter.prices?.second;
  if (price === undefined) return false;
  const told = meter.reading?.seconds ?? (typeof body.duration === "number" ? body.duration : undefined);
  if (told !== undefined && told > 0) meter.settle(costOfSeconds(told, price), "units");
  else if (meter.cost()) return false;
  else settleLength(meter, file);
  return true;
}

/** By what the file says of its length. */
function settleLength(meter: Meter, file: Buffer): void {
  const known = audioSeconds(file);
  const seconds = known ?? file.length / usualRate;
  const price = meter.prices?.second;
  if (price !== undefined) {
    meter.settle(costOfSeconds(seconds, price), known === undefined ? "estimated" : "units");
  } else estimateProduced(meter, seconds * tokensPerSecond, Math.ceil(seconds * 4));
}
