import type { Problem } from "../../platform/errors.ts";
import { readCost } from "../charging/read-usage.ts";
import { nothingInside } from "../upstreams/upstream-problem.ts";
import { type Replying, replyHeaders } from "./replying.ts";
import { settle } from "./settle.ts";

/** Passes a binary reply on as it comes, at the pace of the caller. What it costs does not depend on how far it comes, so it is settled
 *  with its first byte. */
export async function relayBytes<Wanted extends { model: string }>(
  replying: Replying<Wanted>,
  type: string,
): Promise<Problem | undefined> {
  const { context, attempt, meter } = replying;
  const { endpoint, outlet, request } = context;
  const { reply, route } = attempt;
  const begin = () => {
    attempt.accept();
    const { costHeader } = route.upstream.kind;
    settle(context, route, meter, {
      header: costHeader === undefined ? undefined : readCost(reply.header(costHeader)),
    });
    const contentType = type || endpoint.contentType!(request.body);
    outlet.start(200, ["content-type", contentType, ...replyHeaders(replying)]);
  };
  // Whoever has gone is not waited for, whatever its upstream bills: half of a sound is of no use to the next try.
  const onGone = () => attempt.end();
  request.signal.addEventListener("abort", onGone);
  try {
    request.signal.throwIfAborted();
    for (let chunk = await reply.read(); chunk; chunk = await reply.read()) {
      if (!outlet.isStarted) begin();
      outlet.write(chunk);
      if (outlet.isFull) await outlet.room();
    }
    // Silence has an empty transcript. Anything else without a byte is refused.
    if (!outlet.isStarted && endpoint.gives !== "text") return nothingInside("an empty reply");
    if (!outlet.isStarted) begin();
    outlet.end();
    outlet.complete();
  } catch (cause) {
    if (request.signal.aborted && !outlet.isStarted) throw request.signal.reason;
    if (!outlet.isStarted) return nothingInside("an empty reply", cause);
    // Half a file must not look like a whole one: the connection breaks where the upstream's did.
    outlet.breakOff();
  } finally {
    request.signal.removeEventListener("abort", onGone);
  }
  return undefined;
}
