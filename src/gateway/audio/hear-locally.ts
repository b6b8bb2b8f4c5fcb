import type { FastifyReply, FastifyRequest } from "fastify";
import { turnOf } from "../../accounts/turn-of.ts";
import { Problem } from "../../platform/errors.ts";
import { findLocal } from "../local/find-local.ts";
import { meterLocal, settleLocal } from "../local/meter-local.ts";
import type { Gateway } from "../pipeline/gateway.ts";
import type { TranscriptionWanted } from "./schema.ts";
import { writeTranscript } from "./write-transcript.ts";

/** Hears with a model of this process. */
export async function hearLocally(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: TranscriptionWanted,
  task: "transcribe" | "translate",
): Promise<FastifyReply> {
  const model = findLocal(gateway, wanted.model, "transcription")!;
  if (task === "translate" && !model.translate) {
    throw new Problem("service_unavailable", `${model.id} cannot translate speech on this server.`);
  }
  const meter = await meterLocal(
    gateway,
    request,
    reply,
    task === "translate" ? "audio/translations" : "audio/transcriptions",
    model.id,
  );
  try {
    const asked = { key: turnOf(request.caller), flow: request.id, audio: wanted.file.bytes };
    const transcript =
      task === "translate"
        ? await model.translate!(asked, request.signal)
        : await model.transcribe({ ...asked, language: wanted.language }, request.signal);
    request.usage.audioMs = Math.round(transcript.seconds * 1000);
    settleLocal(meter, 0, Math.ceil(transcript.text.length / 4));
    const { type, body } = writeTranscript(transcript, wanted, task);
    return reply.type(type).send(body);
  } finally {
    meter.release();
  }
}
