import type { FastifyReply, FastifyRequest } from "fastify";
import { turnOf } from "../../accounts/turn-of.ts";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { LocalTranscript, LocalTranscriptionModel } from "../../ports/local-models.ts";
import { costOfSeconds } from "../charging/cost.ts";
import { estimateUnits } from "../charging/estimate.ts";
import type { Meter } from "../charging/meter.ts";
import { highest } from "../charging/prices.ts";
import { readCost, readUsage } from "../charging/read-usage.ts";
import { problemReplies } from "../fields.ts";
import { type Recorder, sendWhole } from "../forwarding/outlet.ts";
import { contentOf, formsFor, keepRawForm } from "../forwarding/raw-form.ts";
import { respondBytes } from "../forwarding/respond-bytes.ts";
import { respondEvents } from "../forwarding/respond-events.ts";
import { respondJson } from "../forwarding/respond-json.ts";
import { estimateProduced } from "../forwarding/settle-unknown.ts";
import { beginRequest, type Plan, refuseReply, type Started } from "../forwarding/start-request.ts";
import type { Gateway } from "../gateway.ts";
import { findLocal } from "../local/find-local.ts";
import { meterLocal, settleLocal } from "../local/meter-local.ts";
import { isObject, type Json, type OwnShape } from "../upstreams/kinds/kind.ts";
import { callUpstream, pathOf } from "../upstreams/upstream.ts";
import { nothingInside } from "../upstreams/upstream-problem.ts";
import { audioSeconds } from "./audio-seconds.ts";
import { largestAudio, type TranscriptionWanted, transcriptionForm, transcriptReply } from "./schema.ts";
import { writeTranscript } from "./write-transcript.ts";

/** The lowest rate at which people record speech, for holds, and a usual one, for estimates; bytes a second. */
const lowestRate = 1_000;
const usualRate = 16_000;
const tokensPerSecond = 30;

type Task = "transcribe" | "translate";
const endpoints = { transcribe: "audio/transcriptions", translate: "audio/translations" } as const;

export async function addTranscriptionRoutes(app: HttpApp, gateway: Gateway): Promise<void> {
  await app.register(async (plain) => {
    const scoped = plain as unknown as HttpApp;
    keepRawForm(scoped);
    for (const [task, summary] of [
      ["transcribe", "Speech to text"],
      ["translate", "Audio to English text"],
    ] as const) {
      scoped.post(
        `/${endpoints[task]}`,
        {
          config: { scope: "gateway:read" },
          schema: {
            summary,
            consumes: ["multipart/form-data"],
            body: transcriptionForm,
            response: { 200: transcriptReply, ...problemReplies },
          } as { body: typeof transcriptionForm },
        },
        async (request, reply) => {
          const wanted = request.body;
          if (wanted.file.bytes.length > largestAudio) {
            throw new Problem("too_large", `"file" is larger than ${largestAudio / 1e6} MB.`);
          }
          const local = findLocal(gateway, wanted.model, "transcription");
          if (local) return hearLocally(gateway, local, request, reply, wanted, task);
          await forwardForm(gateway, request, reply, wanted, task);
          return reply;
        },
      );
    }
  });
}

async function forwardForm(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: TranscriptionWanted,
  task: Task,
): Promise<void> {
  const known = gateway.replays.begin(request, reply, contentOf(wanted));
  if (known === "replayed") return;
  const recorder = known;
  const onFailure = (error: unknown) => {
    recorder?.abandon();
    reply.send(error);
  };
  const { bytes } = wanted.file;
  const inputTokens = () => (audioSeconds(bytes) ?? bytes.length / usualRate) * tokensPerSecond;
  try {
    const plan = await planFor(gateway, request, wanted, task);
    const awaiter = { onStarted: respond, onFailure };
    beginRequest(gateway, request, { ...plan, isRepeatable: recorder !== undefined }, awaiter);
  } catch (error) {
    onFailure(error);
  }

  function respond(started: Started): void {
    const { live, meter, route } = started;
    const type = live.header("content-type") ?? "";
    const reported = readCost(live.header("x-litellm-response-cost"));
    const { transcription } = route.upstream.kind;
    if (transcription) {
      respondOwnShape(reply, started, transcription, wanted, task, recorder).catch((cause) =>
        started.refuse(nothingInside("no transcript", cause)),
      );
    } else if (type.includes("json")) {
      const settle = (_meter: Meter, body: Json) => settleSeconds(meter, body, bytes);
      respondJson(gateway, reply, started, { inputTokens, recorder, settle, onFailure });
    } else if (type.includes("text/event-stream")) {
      const settleUnknown = () => settleLength(meter, undefined, bytes);
      const shape = { showsUsage: true, saysDone: false, inputTokens };
      respondEvents(gateway, reply, started, { ...shape, recorder, settleUnknown, onFailure });
    } else if (type.includes("html")) refuseReply(started, "no transcript");
    else {
      const contentType = type || "text/plain; charset=utf-8";
      const settle = () => settleLength(meter, reported, bytes);
      respondBytes(reply, started, { contentType, settle, recorder, mayBeEmpty: true });
    }
  }
}

function granularitiesOf(wanted: TranscriptionWanted): readonly string[] {
  return wanted["timestamp_granularities[]"] ?? wanted.timestamp_granularities ?? [];
}

async function planFor(
  gateway: Gateway,
  request: FastifyRequest,
  wanted: TranscriptionWanted,
  task: Task,
): Promise<Plan> {
  const { bytes } = wanted.file;
  const seconds = audioSeconds(bytes) ?? bytes.length / lowestRate;
  const endpoint = endpoints[task];
  const formFor = await formsFor(gateway, request, wanted);
  return {
    endpoint,
    model: wanted.model,
    settleUnheard: (meter) => settleLength(meter, undefined, bytes),
    estimate(listed) {
      const prices = listed.map((one) => one?.prices);
      const price = highest([undefined, ...prices.map((one) => one?.second)]);
      return estimateUnits(price === undefined ? 1 : seconds, price, prices.find(Boolean), seconds * tokensPerSecond);
    },
    callFor({ upstream }) {
      const { transcription } = upstream.kind;
      if (transcription) return task === "transcribe" ? callUpstream(upstream, transcription.call(wanted)) : undefined;
      const path = pathOf(upstream, endpoint);
      if (path === undefined) return undefined;
      return callUpstream(upstream, { path, ...formFor(upstream) });
    },
  };
}

async function respondOwnShape(
  reply: FastifyReply,
  { live, meter, accept }: Started,
  shape: OwnShape<TranscriptionWanted, LocalTranscript>,
  wanted: TranscriptionWanted,
  task: Task,
  recorder: Recorder | undefined,
): Promise<void> {
  const body: unknown = JSON.parse((await live.whole(largestAudio)).toString("utf8"));
  const transcript = isObject(body) ? shape.read(body) : undefined;
  if (!transcript) throw new Error("no text in the reply");
  accept();
  const reported = readUsage(body as Json)?.cost;
  const { bytes } = wanted.file;
  if (reported !== undefined || !settleSeconds(meter, { duration: transcript.seconds }, bytes)) {
    settleLength(meter, reported, bytes);
  }
  const { type, body: written } = writeTranscript(transcript, wanted.response_format, task, granularitiesOf(wanted));
  sendWhole(reply, { status: 200, type, body: written }, recorder);
}

/** By the length of the recording, where the model is billed so: as the upstream tells it, else as the file says. */
function settleSeconds(meter: Meter, body: Json, file: Buffer): boolean {
  const price = meter.prices?.second;
  if (price === undefined) return false;
  const told = meter.reading?.seconds ?? (typeof body.duration === "number" ? body.duration : undefined);
  if (told !== undefined && told > 0) meter.settle(costOfSeconds(told, price), "units");
  else if (meter.reading) return false;
  else settleLength(meter, undefined, file);
  return true;
}

/** By what the file says of its length. */
function settleLength(meter: Meter, reported: bigint | undefined, file: Buffer): void {
  const known = audioSeconds(file);
  const seconds = known ?? file.length / usualRate;
  const price = meter.prices?.second;
  if (reported !== undefined) meter.settle(reported, "reported");
  else if (price !== undefined) {
    meter.settle(costOfSeconds(seconds, price), known === undefined ? "estimated" : "units");
  } else estimateProduced(meter, seconds * tokensPerSecond, Math.ceil(seconds * 4));
}

async function hearLocally(
  gateway: Gateway,
  model: LocalTranscriptionModel,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: TranscriptionWanted,
  task: Task,
): Promise<FastifyReply> {
  if (task === "translate" && !model.translate) {
    throw new Problem("service_unavailable", `${model.id} cannot translate speech on this server.`);
  }
  const meter = await meterLocal(gateway, request, endpoints[task], model.id);
  try {
    const asked = { key: turnOf(request.caller), flow: request.id, audio: wanted.file.bytes };
    const transcript =
      task === "translate"
        ? await model.translate!(asked, request.signal)
        : await model.transcribe({ ...asked, language: wanted.language }, request.signal);
    request.usage.audioMs = Math.round(transcript.seconds * 1000);
    settleLocal(meter, 0, Math.ceil(transcript.text.length / 4));
    const { type, body } = writeTranscript(transcript, wanted.response_format, task, granularitiesOf(wanted));
    return reply.type(type).send(body);
  } finally {
    meter.release();
  }
}
