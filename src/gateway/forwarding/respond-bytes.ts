import type { FastifyReply } from "fastify";
import { Outlet, type Recorder } from "./outlet.ts";
import type { Started } from "./start-request.ts";

/** Passes a binary reply on as it comes, at the pace of the client. `settle` is called once, with how it ended. */
export function respondBytes(
  reply: FastifyReply,
  { live }: Started,
  contentType: string,
  settle: (outcome: { bytes: number; isWhole: boolean }) => void,
  recorder?: Recorder,
): FastifyReply {
  const outlet = new Outlet(reply, recorder);
  let bytes = 0;
  let isOver = false;
  const end = (isWhole: boolean) => {
    if (isOver) return;
    isOver = true;
    settle({ bytes, isWhole });
  };
  outlet.start(200, { "content-type": contentType });
  outlet.onGone(() => {
    live.abort();
    outlet.abandon();
    end(false);
  });
  live.read({
    onData(chunk) {
      bytes += chunk.length;
      if (!outlet.write(chunk, () => live.resume())) live.pause();
    },
    onEnd() {
      end(true);
      outlet.end();
      outlet.complete();
    },
    onFailure() {
      outlet.abandon();
      end(false);
      // Half a file must not look like a whole one: the connection breaks where the upstream's did.
      reply.raw.destroy();
    },
  });
  return reply;
}
