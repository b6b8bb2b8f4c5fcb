import type { FastifyReply, FastifyRequest } from "fastify";
import type { Gateway } from "../gateway.ts";
import type { Recorder } from "./outlet.ts";

/** Runs a request, or sends the reply that its Idempotency-Key has already got. A client that hangs up does not free the key: what
 *  the upstream goes on with, and bills, is there for the next try. */
export async function withReplay(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
  run: (recorder: Recorder | undefined) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const recorder = gateway.replays.begin(request, reply, body);
  if (recorder === "replayed") return reply;
  try {
    return await run(recorder);
  } catch (error) {
    recorder?.abandon();
    throw error;
  }
}
