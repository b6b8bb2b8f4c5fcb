import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { turnOf } from "../../accounts/turn-of.ts";
import { list, Problem } from "../../platform/errors.ts";
import { findLocal } from "../local/find-local.ts";
import { meterLocal, settleLocal } from "../local/meter-local.ts";
import { prepend } from "../local/prepend.ts";
import type { Gateway } from "../pipeline/gateway.ts";
import type { SpeechWanted } from "./schema.ts";

/** Speaks with a model of this process. */
export async function speakLocally(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: SpeechWanted,
): Promise<FastifyReply> {
  const model = findLocal(gateway, wanted.model, "speech")!;
  const format = wanted.response_format ?? "mp3";
  if (!model.formats.includes(format)) {
    throw new Problem("invalid_request", `"response_format" must be one of: ${list(model.formats)} for ${model.id}.`);
  }
  if (wanted.input.length > 4096) throw new Problem("invalid_request", '"input" must have at most 4096 characters.');
  const meter = await meterLocal(gateway, request, reply, "audio/speech", model.id);
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
