import type { FastifyReply, FastifyRequest } from "fastify";
import { EventStream } from "../../platform/http/server-sent-events.ts";
import { toProblem } from "../../platform/http/to-problem.ts";
import type { ChatEvent, ChatUsage } from "../../ports/chat-engine.ts";
import { voiceDialect } from "../dialect.ts";
import { showUsage } from "./converse.ts";

export interface StreamOptions {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly events: AsyncIterable<ChatEvent>;
  readonly model: string;
  /** Called once when the answer is complete. */
  finish(reply: string, usage: ChatUsage): void;
}

/** One event per piece of the answer, then one `done`. */
export async function streamAnswer({ request, reply, events, model, finish }: StreamOptions): Promise<FastifyReply> {
  const iterator = events[Symbol.asyncIterator]();
  // Wait for the first event before replying, so that a failure until then is a JSON error with its own status.
  let next = await iterator.next();
  const stream = new EventStream(reply);
  let text = "";
  let deltas = 0;
  try {
    for (; !next.done; next = await iterator.next()) {
      if (next.value.type === "delta") {
        text += next.value.text;
        deltas += 1;
        // Until the end this is what is known; a caller who hangs up is on record with what was made.
        request.usage.outputTokens = deltas;
        await stream.send({ type: "delta", text: next.value.text });
      } else {
        finish(text, next.value.usage);
        await stream.send({ type: "done", reply: text, model, usage: showUsage(next.value.usage) });
      }
    }
  } catch (error) {
    const problem = toProblem(error);
    const { status, type } = voiceDialect.table[problem.kind];
    stream.breakOff(status);
    if (!request.signal.aborted) await stream.send({ type: "error", error: { type, message: problem.message } });
  } finally {
    await iterator.return?.();
    stream.end();
  }
  return reply;
}
