import { toPicos } from "../../credits/money.ts";
import type { Route } from "../catalog/catalog.ts";
import { costOfTokens, type Price } from "../charging/cost.ts";
import { type Meter, providerOf } from "../charging/meter.ts";
import type { Prices } from "../charging/prices.ts";
import { kindOf, type Metered } from "../charging/request-kinds.ts";
import type { Json } from "../json.ts";
import type { RequestContext } from "./context.ts";
import type { EndpointDescriptor } from "./endpoint.ts";
import { nextRequestId } from "./reserve.ts";

/** What a reply tells about its price, beside the readings of its meter. */
export interface Evidence {
  /** The whole of it, where it is JSON. */
  readonly body?: Json | undefined;
  /** What its headers say. */
  readonly header?: Price["cost"] | undefined;
  /** By which the upstream can be asked later. */
  readonly reference?: string | undefined;
  /** It was broken off: what was told of its tokens may not be all. */
  readonly isPart?: boolean | undefined;
  /** What it wrote, where the reply can be read. */
  readonly outputTokens?: (() => number) | undefined;
}

/**
 * The one place that decides what a request costs: what the upstream says it took, else what the endpoint is billed by, else the
 * tokens by the list, else what the upstream says later, else an estimate from what went in and came out. Never nothing where there is
 * a price.
 */
export function settle<Wanted extends { model: string }>(
  context: RequestContext<Wanted>,
  { upstream }: Route,
  meter: Meter,
  evidence: Evidence = {},
): void {
  const price = priceOf(context, meter, evidence);
  const estimate = () => settleByGuess(context, meter, evidence);
  const { reference } = evidence;
  if (price) meter.settle(price.cost, price.source);
  else if (reference === undefined || !upstream.kind.generationPath || meter.isOver) estimate();
  else {
    meter.remark(reference);
    context.gateway.lookUps.start(upstream, reference, meter, estimate);
  }
}

function priceOf<Wanted extends { model: string }>(
  { endpoint, request: { body: wanted } }: RequestContext<Wanted>,
  meter: Meter,
  { body, header, isPart }: Evidence,
): Price | undefined {
  const counted = meter.cost();
  if (counted?.source === "reported") return counted;
  if (isPart) return undefined;
  if (header !== undefined) return { cost: header, source: "header" };
  const known = { prices: meter.prices, tokens: counted?.cost, seconds: meter.reading?.seconds, body };
  return endpoint.price?.(wanted, known) ?? counted;
}

/** Without a price there is nothing to go by, and it is on record as free. */
function settleByGuess<Wanted extends { model: string }>(
  { endpoint, request: { body: wanted } }: RequestContext<Wanted>,
  meter: Meter,
  { outputTokens }: Evidence,
): void {
  const known = meter.reading;
  const written = outputTokens ? outputTokens() : (endpoint.outputTokens?.(wanted) ?? 0);
  const reading = {
    ...nothingRead,
    inputTokens: known?.inputTokens || Math.max(1, Math.ceil(endpoint.inputTokens(wanted))),
    outputTokens: Math.max(known?.outputTokens ?? 0, written, 1),
    cachedTokens: known?.cachedTokens ?? 0,
  };
  const { prices } = meter;
  const priced = endpoint.price?.(wanted, { prices, tokens: undefined, seconds: undefined, body: undefined });
  const cost = prices ? costOfTokens(reading, prices, false) : undefined;
  if (!priced) meter.observe(reading);
  if (priced) meter.settle(priced.cost, priced.source);
  else if (cost === undefined) meter.settle(0n, "free");
  else meter.settle(cost, "estimated");
}

const nothingRead = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  seconds: undefined,
  cost: undefined,
};

/** The caller hung up before there was anything. An upstream that stops with its connection bills nothing. */
export function settleUnheard<Wanted extends { model: string }>(
  context: RequestContext<Wanted>,
  route: Route,
  meter: Meter,
): void {
  if (route.upstream.kind.billsOn) settle(context, route, meter);
  meter.release();
}

/** What an upstream may bill that was given up for another one: on record, at the operator's cost. */
export function bookAbandoned<Wanted extends { model: string }>(
  { gateway: { books, log }, endpoint, request }: RequestContext<Wanted>,
  { upstream, model, listed }: Route,
  about: Metered,
): void {
  const inputTokens = Math.max(1, Math.ceil(endpoint.inputTokens(request.body)));
  const cost = listed?.prices && costOfAsking(endpoint, request.body, listed.prices, inputTokens);
  if (cost === undefined) return;
  const record = {
    about: kindOf({ ...about, upstream: upstream.name, model, provider: providerOf(model) }, "abandoned"),
    figures: [inputTokens, 0, toPicos(cost)] as const,
  };
  const hold = { id: nextRequestId(), workspaceId: request.caller.workspace.id, wanted: 0n, least: 0n };
  Promise.resolve(books.reserve(hold))
    .then((opened) => books.settle(opened, 0n, record))
    .catch((error) =>
      log.warn({ upstream: upstream.name, error: String(error) }, "an abandoned request has no record"),
    );
}

/** Its answer was not waited for, so what it wrote is not known. */
function costOfAsking<Wanted extends { model: string }>(
  endpoint: EndpointDescriptor<Wanted>,
  wanted: Wanted,
  prices: Prices,
  inputTokens: number,
): Price["cost"] | undefined {
  const priced = endpoint.price?.(wanted, { prices, tokens: undefined, seconds: undefined, body: undefined });
  return priced?.cost ?? costOfTokens({ ...nothingRead, inputTokens }, prices, false);
}
