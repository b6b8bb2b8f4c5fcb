import type { FastifyReply, FastifyRequest } from "fastify";
import type { Gateway } from "../gateway.ts";
import type { Recorder } from "./outlet.ts";

/** Runs a request, or sends the reply that its Idempotency-Key has already got. */
export async function withReplay(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
  run: (recorder: Recorder | undefined) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const attempt = gateway.replays.begin(request, reply, body);
  if (attempt === "replayed") return reply;
  if (!attempt) return run(undefined);
  // However it ends: a reply that did not become complete leaves the key free for another try.
  reply.raw.once("close", () => attempt.abandon());
  try {
    return await run(attempt);
  } catch (error) {
    attempt.abandon();
    throw error;
  }
}
