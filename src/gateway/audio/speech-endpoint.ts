import { costOfUnits } from "../charging/cost.ts";
import { countTokens } from "../charging/count-tokens.ts";
import { estimateUnits } from "../charging/estimate.ts";
import { highest } from "../charging/prices.ts";
import type { EndpointDescriptor } from "../pipeline/endpoint.ts";
import { type SpeechWanted, speechRequest, speechTypes } from "./schema.ts";
import { speakLocally } from "./speak-locally.ts";

/** People say about fifteen characters a second; models make about twenty tokens of that. */
const audioTokensPerCharacter = 20 / 15;

/** Speech is billed by the character, or by the tokens that the sound takes. */
export const speech: EndpointDescriptor<SpeechWanted> = {
  name: "audio/speech",
  path: "/audio/speech",
  summary: "Text to speech",
  schema: speechRequest,
  gives: "bytes",
  local: speakLocally,
  estimate({ body }, listed) {
    const characters = charactersOf(body);
    const prices = listed.map((one) => one?.prices);
    const price = highest([undefined, ...prices.map((one) => one?.character)]);
    return estimateUnits(price === undefined ? 1 : characters, price, prices.find(Boolean), characters);
  },
  price(wanted, { prices }) {
    if (prices?.character === undefined) return undefined;
    return { cost: costOfUnits(charactersOf(wanted), prices.character), source: "units" };
  },
  inputTokens: ({ input }) => countTokens(input),
  outputTokens: (wanted) => Math.ceil(charactersOf(wanted) * audioTokensPerCharacter),
  contentType,
  ownShape({ kind: { speech: shape } }) {
    if (!shape) return undefined;
    return {
      call: shape.call,
      read(reply) {
        const body = shape.read(reply);
        return body && ((wanted) => ({ type: contentType(wanted), body }));
      },
    };
  },
};

function charactersOf({ input }: SpeechWanted): number {
  return Array.from(input).length;
}

function contentType({ response_format: format }: SpeechWanted): string {
  return speechTypes[format ?? "mp3"];
}
