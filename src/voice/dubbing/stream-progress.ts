import type { FastifyReply, FastifyRequest } from "fastify";
import { EventStream } from "../../platform/http/server-sent-events.ts";
import { toProblem } from "../../platform/http/to-problem.ts";
import { voiceDialect } from "../dialect.ts";
import type { DubProgress } from "./dub.ts";

/** Whether a client would rather hear how far the work is than wait in silence. */
export function wantsProgress(request: FastifyRequest): boolean {
  return /\btext\/event-stream\b/i.test(request.headers.accept ?? "");
}

/** Sends `progress` events and at the end one `result`. What fails before the first of them is a JSON error with its own status,
 *  what fails later an `error` event. */
export async function streamProgress(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (onProgress: (progress: DubProgress) => void) => Promise<object>,
): Promise<FastifyReply> {
  let stream: EventStream | undefined;
  let lastSent = "";
  const onProgress = ({ stage, fraction }: DubProgress) => {
    stream ??= new EventStream(reply);
    const event = { type: "progress", stage, fraction: Math.round(fraction * 100) / 100 };
    const text = JSON.stringify(event);
    if (text === lastSent) return;
    lastSent = text;
    // A reader that is gone is noticed by the signal.
    stream.offer(event);
  };
  try {
    const result = await work(onProgress);
    stream ??= new EventStream(reply);
    await stream.send({ type: "result", ...result });
  } catch (error) {
    if (!stream) throw error;
    const problem = toProblem(error);
    const { status, type } = voiceDialect.table[problem.kind];
    stream.breakOff(status);
    if (!request.signal.aborted) await stream.send({ type: "error", error: { type, message: problem.message } });
  } finally {
    stream?.end();
  }
  return reply;
}
