import type { FastifyReply } from "fastify";
import { nothingInside } from "../upstreams/upstream-problem.ts";
import { Outlet, type Recorder } from "./outlet.ts";
import { costHeaders, type Started } from "./start-request.ts";

export interface BytesReply {
  contentType: string;
  /** Called once, when there was anything. */
  settle(): void;
  recorder: Recorder | undefined;
  /** Silence has an empty transcript. Anything else without a byte is refused. */
  mayBeEmpty?: boolean;
}

/** Passes a binary reply on as it comes, at the pace of the client. */
export function respondBytes(
  reply: FastifyReply,
  started: Started,
  { contentType, settle, recorder, mayBeEmpty }: BytesReply,
): void {
  const { live, meter } = started;
  const outlet = new Outlet(reply, recorder);
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    if (outlet.isStarted) settle();
    else started.settleUnheard();
    meter.release();
  };
  outlet.onGone(() => {
    live.abort();
    outlet.abandon();
    end();
  });
  live.read({
    onData(chunk) {
      if (isOver || chunk.length === 0) return;
      begin();
      if (!outlet.write(chunk, () => live.resume())) live.pause();
    },
    onEnd() {
      if (isOver) return;
      if (mayBeEmpty) begin();
      if (!outlet.isStarted) return refuse();
      end();
      outlet.end();
      outlet.complete();
    },
    onFailure(cause) {
      if (isOver) return;
      if (!outlet.isStarted) return refuse(cause);
      outlet.abandon();
      end();
      // Half a file must not look like a whole one: the connection breaks where the upstream's did.
      reply.raw.destroy();
    },
  });

  function begin(): void {
    if (outlet.isStarted) return;
    started.accept();
    outlet.start(200, { "content-type": contentType, ...costHeaders(meter) });
  }

  function refuse(cause?: Error): void {
    isOver = true;
    started.refuse(nothingInside("an empty reply", cause));
  }
}
