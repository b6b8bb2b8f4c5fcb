import { formatDollars } from "../../credits/money.ts";
import type { Meter } from "../charging/meter.ts";
import type { Attempt } from "./ask.ts";
import type { Body } from "./body.ts";
import type { RequestContext } from "./context.ts";
import type { HeaderList } from "./outlet.ts";

/** One reply on its way back. */
export interface Replying<Wanted extends { model: string }> {
  readonly context: RequestContext<Wanted>;
  readonly attempt: Attempt;
  readonly meter: Meter;
  /** Everybody who was asked, up to this one. */
  readonly trail: readonly Attempt[];
  readonly body: Body<Wanted>;
}

/** What a reply says about itself: its price, who served it after whom, and what was changed of the request. */
export function replyHeaders<Wanted extends { model: string }>(replying: Replying<Wanted>): HeaderList {
  const { attempt, meter, trail, body } = replying;
  const { upstream, model } = attempt.route;
  const headers = [...costHeaders(meter), "x-svc-served-by", `${upstream.title} ${encodeURI(model)}`];
  const failed = trail.filter(({ outcome }) => outcome !== "");
  if (failed.length > 0) {
    headers.push("x-svc-attempts", failed.map(({ route, outcome }) => `${route.upstream.title} ${outcome}`).join(", "));
  }
  if (body.setLimit !== undefined) headers.push("x-svc-max-tokens", String(body.setLimit));
  return headers;
}

export function costHeaders({ charged, hold }: Meter): HeaderList {
  if (charged === undefined) return ["x-svc-generation-id", hold.id];
  return ["x-svc-generation-id", hold.id, "x-svc-cost-usd", formatDollars(charged)];
}
