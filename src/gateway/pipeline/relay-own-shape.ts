import type { Problem } from "../../platform/errors.ts";
import { readUsage } from "../charging/read-usage.ts";
import { parseObject } from "../json.ts";
import { nothingInside } from "../upstreams/upstream-problem.ts";
import { namedFor } from "./body.ts";
import { readReply } from "./relay-json.ts";
import { type Replying, replyHeaders } from "./replying.ts";
import { settle } from "./settle.ts";

/** What came in the upstream's own shape leaves in OpenAI's. */
export async function relayOwnShape<Wanted extends { model: string }>(
  replying: Replying<Wanted>,
): Promise<Problem | undefined> {
  const { context, attempt, meter } = replying;
  const { endpoint, outlet, request } = context;
  const { route } = attempt;
  const bytes = await readReply(replying);
  if (!Buffer.isBuffer(bytes)) return bytes;
  const body = parseObject(bytes.toString("utf8"));
  const write = body && endpoint.ownShape!(route.upstream)!.read(body);
  if (!write) return nothingInside("nothing of what was asked for");
  attempt.accept();
  const { type, body: written, told } = write(namedFor(route, request.body));
  const reading = readUsage(body);
  if (reading?.cost !== undefined) meter.observe(reading);
  settle(context, route, meter, { body: told });
  outlet.send({ status: 200, type, body: written, headers: replyHeaders(replying) });
  return undefined;
}
