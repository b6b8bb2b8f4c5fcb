import { Problem } from "../../platform/errors.ts";
import { readCost, readUsage } from "../charging/read-usage.ts";
import { gatewayDialect } from "../dialect.ts";
import type { TranslatedDialect } from "../dialects/dialect.ts";
import { EventTranslator, translateWhole } from "../dialects/read-chat.ts";
import type { Gateway } from "../gateway.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import { nothingInside } from "../upstreams/upstream-problem.ts";
import type { Started } from "./asking.ts";
import type { EndpointDescriptor } from "./endpoint.ts";
import { costHeaders } from "./open-meter.ts";
import { type Recorder, type ReplyWay, sendWhole } from "./outlet.ts";
import { parseObject, readWhole } from "./read-whole.ts";
import { respondBytes } from "./respond-bytes.ts";
import { respondEvents } from "./respond-events.ts";
import { respondJson } from "./respond-json.ts";
import { settleUnknown } from "./settle-unknown.ts";

/** A reply on its way from an upstream to the caller. */
export interface Responding<Wanted extends { model: string }> {
  readonly gateway: Gateway;
  readonly endpoint: EndpointDescriptor<Wanted>;
  readonly wanted: Wanted;
  /** The caller wants to read the cost in the usage of its reply. */
  readonly asksCost: boolean;
  readonly reply: ReplyWay;
  readonly recorder: Recorder | undefined;
  readonly started: Started;
  /** The upstream has answered with a chat completion, which must be put into this. */
  readonly dialect: TranslatedDialect | undefined;
}

/** Passes a reply on and charges it. Done when its first bytes are on their way; with a problem when there is nothing in it, and
 *  then nothing has reached the client. */
export function respond<Wanted extends { model: string }>(
  responding: Responding<Wanted>,
): Promise<Problem | undefined> {
  const { gateway, endpoint, wanted, asksCost, reply, recorder, started, dialect } = responding;
  const { live, meter, route } = started;
  const { kind } = route.upstream;
  const type = live.header("content-type") ?? "";
  const inputTokens = () => endpoint.inputTokens(wanted);
  // What is put into other words anyway need not stay byte for byte.
  const tellsCost = gateway.tellsCost || asksCost || dialect !== undefined;
  const reported = kind.costHeader === undefined ? undefined : readCost(live.header(kind.costHeader));
  if (endpoint.ownShape?.(route.upstream)) return respondOwnShape(responding);
  if (type.includes("text/event-stream")) {
    const { isChat = false } = endpoint;
    const { stream_options: options } = wanted as Json;
    const asked = asksCost || (isObject(options) && options.include_usage === true);
    return respondEvents(gateway, reply, started, {
      showsUsage: !isChat || asked || kind.alwaysTellsUsage === true,
      saysDone: isChat || dialect !== undefined,
      translator: dialect && new EventTranslator(dialect, !isChat || asked),
      inputTokens,
      tellsCost,
      recorder,
      // What is put into other words is chat before.
      errors: (dialect ? undefined : endpoint.errors) ?? gatewayDialect,
      settle: () => endpoint.settle?.(meter, wanted) ?? false,
    });
  }
  if (endpoint.gives === undefined || (endpoint.gives === "text" && type.includes("json"))) {
    return respondJson(gateway, reply, started, {
      adapt: dialect
        ? (chat) => translateWhole(dialect, chat)
        : endpoint.adapt && ((body) => endpoint.adapt!(body, wanted)),
      settle: (body) => endpoint.settle?.(meter, wanted, body) ?? false,
      reported,
      inputTokens,
      tellsCost,
      recorder,
    });
  }
  if (type.includes("json") || type.includes("html")) {
    live.abort();
    return Promise.resolve(nothingInside("no audio"));
  }
  return respondBytes(reply, started, {
    contentType: type || endpoint.contentType!(wanted),
    settle() {
      if (reported !== undefined) meter.settle(reported, "reported");
      else settleUnknown(meter, endpoint, wanted);
    },
    recorder,
    mayBeEmpty: endpoint.gives === "text",
  });
}

/** What came in the upstream's own shape leaves in OpenAI's. */
async function respondOwnShape<Wanted extends { model: string }>({
  endpoint,
  wanted,
  reply,
  recorder,
  started,
}: Responding<Wanted>): Promise<Problem | undefined> {
  const { meter, route } = started;
  const bytes = await readWhole(started);
  if (bytes instanceof Problem) return bytes;
  const body = parseObject(bytes.toString("utf8"));
  const write = body && endpoint.ownShape!(route.upstream)!.read(body);
  if (!write) return nothingInside("nothing of what was asked for");
  const { type, body: written, told } = write(wanted);
  const cost = readUsage(body)?.cost;
  if (cost !== undefined) meter.settle(cost, "reported");
  else settleUnknown(meter, endpoint, wanted, told);
  sendWhole(reply, { status: 200, type, body: written, headers: costHeaders(meter) }, recorder);
  return undefined;
}
