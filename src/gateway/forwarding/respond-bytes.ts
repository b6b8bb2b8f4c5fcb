import type { Problem } from "../../platform/errors.ts";
import { nothingInside } from "../upstreams/upstream-problem.ts";
import type { Started } from "./asking.ts";
import { costHeaders } from "./open-meter.ts";
import { Outlet, type Recorder, type ReplyWay } from "./outlet.ts";

export interface BytesReply {
  contentType: string;
  /** Called once, with the first byte: what such a reply costs does not depend on how far it comes. */
  settle(): void;
  recorder: Recorder | undefined;
  /** Silence has an empty transcript. Anything else without a byte is refused. */
  mayBeEmpty?: boolean;
}

/** Passes a binary reply on as it comes, at the pace of the client. Done with its first byte. */
export function respondBytes(reply: ReplyWay, started: Started, options: BytesReply): Promise<Problem | undefined> {
  return new Promise((resolve, reject) => passBytes(reply, started, options, resolve, reject));
}

function passBytes(
  reply: ReplyWay,
  started: Started,
  { contentType, settle, recorder, mayBeEmpty }: BytesReply,
  resolve: (problem: Problem | undefined) => void,
  reject: (reason: unknown) => void,
): void {
  const { live, meter, hangUp } = started;
  const outlet = new Outlet(reply, recorder);
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    if (!outlet.isStarted) reject(hangUp.reason);
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
    settle();
    outlet.start(200, ["content-type", contentType, ...costHeaders(meter)]);
    resolve(undefined);
  }

  function refuse(cause?: Error): void {
    isOver = true;
    resolve(nothingInside("an empty reply", cause));
  }
}
