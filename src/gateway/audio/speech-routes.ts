import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { turnOf } from "../../accounts/turn-of.ts";
import { list, Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { LocalSpeechModel } from "../../ports/local-models.ts";
import { countTokens } from "../charging/count-tokens.ts";
import { estimateUnits } from "../charging/estimate.ts";
import type { Meter } from "../charging/meter.ts";
import { highest } from "../charging/prices.ts";
import { readCost, readUsage } from "../charging/read-usage.ts";
import { problemReplies } from "../fields.ts";
import { editBody } from "../forwarding/edit-body.ts";
import { type Recorder, sendWhole } from "../forwarding/outlet.ts";
import { respondBytes } from "../forwarding/respond-bytes.ts";
import { respondEvents } from "../forwarding/respond-events.ts";
import { estimateProduced } from "../forwarding/settle-unknown.ts";
import { beginRequest, type Plan, refuseReply, type Started } from "../forwarding/start-request.ts";
import type { Gateway } from "../gateway.ts";
import { findLocal } from "../local/find-local.ts";
import { meterLocal, settleLocal } from "../local/meter-local.ts";
import { isObject, type OwnShape } from "../upstreams/kinds/kind.ts";
import { callUpstream, pathOf } from "../upstreams/upstream.ts";
import { nothingInside } from "../upstreams/upstream-problem.ts";
import { type SpeechWanted, speechRequest, speechTypes } from "./schema.ts";

/** People say about fifteen characters a second; models make about twenty tokens of that. */
const audioTokensPerCharacter = 20 / 15;
const largestAudioReply = 128_000_000;

export function addSpeechRoutes(app: HttpApp, gateway: Gateway): void {
  app.post(
    "/audio/speech",
    {
      config: { scope: "gateway:read" },
      schema: { summary: "Text to speech", body: speechRequest, response: { ...problemReplies } },
    },
    async (request, reply) => {
      const local = findLocal(gateway, request.body.model, "speech");
      if (local) return speakLocally(gateway, local, request, reply, request.body);
      forwardSpeech(gateway, request, reply, request.body);
      return reply;
    },
  );
}

function forwardSpeech(gateway: Gateway, request: FastifyRequest, reply: FastifyReply, wanted: SpeechWanted): void {
  const recorder = gateway.replays.begin(request, reply, request.rawBody);
  if (recorder === "replayed") return;
  const onFailure = (error: unknown) => {
    recorder?.abandon();
    reply.send(error);
  };
  const characters = Array.from(wanted.input).length;
  const plan: Plan = {
    endpoint: "audio/speech",
    model: wanted.model,
    isRepeatable: recorder !== undefined,
    settleUnheard: (meter) => settleSpeech(meter, undefined, characters),
    estimate: (listed) => {
      const prices = listed.map((one) => one?.prices);
      const price = highest([undefined, ...prices.map((one) => one?.character)]);
      return estimateUnits(price === undefined ? 1 : characters, price, prices.find(Boolean), characters);
    },
    callFor({ upstream }) {
      const { speech } = upstream.kind;
      if (speech) return callUpstream(upstream, speech.call(wanted));
      const path = pathOf(upstream, "audio/speech");
      const body = editBody(request.rawBody, wanted, upstream.kind, { asksUsage: false });
      return path === undefined ? undefined : callUpstream(upstream, { path, body, contentType: "application/json" });
    },
  };
  const onStarted = (started: Started) => {
    const { live, meter, route } = started;
    const type = live.header("content-type") ?? "";
    const settle = () => settleSpeech(meter, readCost(live.header("x-litellm-response-cost")), characters);
    const { speech } = route.upstream.kind;
    if (speech) {
      respondOwnShape(reply, started, speech, wanted, characters, recorder).catch((cause) =>
        started.refuse(nothingInside("no audio", cause)),
      );
    } else if (type.includes("text/event-stream")) {
      const settleUnknown = () => settleSpeech(meter, undefined, characters);
      const shape = { showsUsage: true, saysDone: false, inputTokens: () => countTokens(wanted.input) };
      respondEvents(gateway, reply, started, { ...shape, recorder, settleUnknown, onFailure });
    } else if (type.includes("json") || type.includes("html")) refuseReply(started, "no audio");
    else {
      const contentType = type || speechTypes[wanted.response_format ?? "mp3"];
      respondBytes(reply, started, { contentType, settle, recorder });
    }
  };
  beginRequest(gateway, request, plan, { onStarted, onFailure });
}

/** JSON with base64 becomes the file that OpenAI's clients expect. */
async function respondOwnShape(
  reply: FastifyReply,
  { live, meter, accept }: Started,
  shape: OwnShape<SpeechWanted, Buffer>,
  wanted: SpeechWanted,
  characters: number,
  recorder: Recorder | undefined,
): Promise<void> {
  const body: unknown = JSON.parse((await live.whole(largestAudioReply)).toString("utf8"));
  const audio = isObject(body) ? shape.read(body) : undefined;
  if (!audio) throw new Error("no audio in the reply");
  accept();
  settleSpeech(meter, readUsage(body as Record<string, unknown>)?.cost, characters);
  const type = speechTypes[wanted.response_format ?? "mp3"];
  sendWhole(reply, { status: 200, type, body: audio }, recorder);
}

function settleSpeech(meter: Meter, reported: bigint | undefined, characters: number): void {
  const price = meter.prices?.character;
  if (reported !== undefined) meter.settle(reported, "reported");
  else if (price !== undefined) meter.settle(BigInt(characters) * price, "units");
  else estimateProduced(meter, characters / 4, Math.ceil(characters * audioTokensPerCharacter));
}

async function speakLocally(
  gateway: Gateway,
  model: LocalSpeechModel,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: SpeechWanted,
): Promise<FastifyReply> {
  const format = wanted.response_format ?? "mp3";
  if (!model.formats.includes(format)) {
    throw new Problem("invalid_request", `"response_format" must be one of: ${list(model.formats)} for ${model.id}.`);
  }
  if (wanted.input.length > 4096) throw new Problem("invalid_request", '"input" must have at most 4096 characters.');
  const meter = await meterLocal(gateway, request, "audio/speech", model.id);
  try {
    const turn = { key: turnOf(request.caller), flow: request.id };
    const voice = typeof wanted.voice === "string" ? wanted.voice : undefined;
    const asked = { ...turn, text: wanted.input, voice, format, speed: wanted.speed ?? 1 };
    const { contentType, audio } = await model.speak(asked, request.signal);
    const bytes = audio[Symbol.asyncIterator]();
    // Wait for the first bytes, so that a failure is an error and not a broken file.
    const first = await bytes.next();
    settleLocal(meter, Math.ceil(wanted.input.length / 4), 0);
    return reply.type(contentType).send(Readable.from(prepend(first, bytes), { objectMode: false }));
  } finally {
    meter.release();
  }
}

async function* prepend(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (first.done) return;
    yield first.value;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
