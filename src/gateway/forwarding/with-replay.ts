import type { FastifyReply, FastifyRequest } from "fastify";
import type { Gateway } from "../gateway.ts";
import type { Recorder, ReplyWay } from "./outlet.ts";
import type { Attempt, RepeatableRequest } from "./replays.ts";

/** Runs a request, or sends the reply that its Idempotency-Key has already got. */
export async function withReplay(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
  run: (recorder: Recorder | undefined) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const attempt = beginAttempt(gateway, request, reply, body);
  return attempt === "replayed" ? reply : run(attempt);
}

/** "replayed" when there is nothing left to do, undefined when nothing need be recorded. */
export function beginAttempt(
  gateway: Gateway,
  request: RepeatableRequest,
  reply: ReplyWay,
  body: Buffer,
): Attempt | "replayed" | undefined {
  const attempt = gateway.replays.begin(request, reply, body);
  // However it ends: a reply that did not become complete leaves the key free for another try.
  if (attempt && attempt !== "replayed") reply.raw.once("close", () => attempt.abandon());
  return attempt;
}
