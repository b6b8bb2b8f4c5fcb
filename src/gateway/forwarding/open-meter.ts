import type { FastifyRequest } from "fastify";
import type { UsageDetails } from "../../accounts/usage/record.ts";
import type { KeyBudget, KeyBudgets } from "../../credits/key-budgets.ts";
import { formatDollars, type Pico } from "../../credits/money.ts";
import { Problem } from "../../platform/errors.ts";
import { countIds } from "../../platform/ids.ts";
import type { Estimate } from "../charging/estimate.ts";
import { Meter, providerOf } from "../charging/meter.ts";
import type { Gateway } from "../gateway.ts";
import type { Endpoint } from "../upstreams/kinds/kind.ts";
import { checkModel } from "./check-rules.ts";
import type { HeaderList } from "./outlet.ts";

/** What must be known of a request to ask for it and to charge it. */
export type PayingRequest = Payer & Pick<FastifyRequest, "response">;

/** Who pays, and where the tokens are noted. */
export interface Payer {
  readonly usage: UsageDetails;
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly caller: {
    readonly keyId: string;
    /** What the key may cost in a day and in a month; null has no limit. */
    readonly dailyLimit?: Pico | null;
    readonly monthlyLimit?: Pico | null;
    readonly tokensPerMinute?: number | null;
    readonly models?: readonly string[] | null;
    readonly workspace: { readonly id: string };
  };
}

/** Checks the key's rules and sets money aside for a request of this caller. */
export function openMeter(
  gateway: Gateway,
  request: Payer,
  about: About,
  estimate: Pick<Estimate, "wanted" | "least">,
  upstream: string,
): Meter | Promise<Meter> {
  const { models, dailyLimit, monthlyLimit, tokensPerMinute } = request.caller;
  checkModel(models, about.model);
  if (dailyLimit == null && monthlyLimit == null && tokensPerMinute == null) {
    return openHeld(gateway, request, about, estimate, upstream);
  }
  return openWithin(gateway, request, about, estimate, upstream);
}

/** What the key's day and month have left bounds the hold, and gets back what the request does not cost. */
async function openWithin(
  gateway: Gateway,
  request: Payer,
  about: About,
  { wanted, least }: Pick<Estimate, "wanted" | "least">,
  upstream: string,
): Promise<Meter> {
  const { keyId: id, dailyLimit, monthlyLimit, tokensPerMinute } = request.caller;
  if (tokensPerMinute != null) await gateway.tokenLimit.admit(id, tokensPerMinute);
  const budgets: KeyBudget[] = [];
  const end = (charged: Pico) => {
    for (const budget of budgets) budget.end(charged);
  };
  let bounded = wanted;
  const bound = async (from: KeyBudgets, limit: Pico | null | undefined) => {
    if (limit == null) return;
    const budget = await from.take({ id, limit }, bounded, least);
    budgets.push(budget);
    bounded = budget.wanted;
  };
  try {
    await bound(gateway.dailyBudgets, dailyLimit);
    await bound(gateway.monthlyBudgets, monthlyLimit);
    const meter = await openHeld(gateway, request, about, { wanted: bounded, least }, upstream);
    const { usage } = request;
    meter.onEnd = (charged) => {
      end(charged);
      if (tokensPerMinute != null) gateway.tokenLimit.add(id, (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0));
    };
    return meter;
  } catch (error) {
    end(0n);
    throw error;
  }
}

interface About {
  readonly endpoint: Endpoint;
  readonly model: string;
}

function openHeld(
  gateway: Gateway,
  request: Payer,
  { endpoint, model }: About,
  { wanted, least }: Pick<Estimate, "wanted" | "least">,
  upstream: string,
): Meter | Promise<Meter> {
  const { books, log } = gateway;
  const { usage, caller } = request;
  usage.model = model;
  const tag = tagOf(request.headers?.["x-svc-tag"]);
  const about = { keyId: caller.keyId, endpoint, model, provider: providerOf(model), upstream, tag };
  const reserved = books.reserve({ id: nextRequestId(), workspaceId: caller.workspace.id, wanted, least });
  if (reserved instanceof Promise) return reserved.then((hold) => new Meter({ books, hold, log, about, usage }));
  return new Meter({ books, hold: reserved, log, about, usage });
}

/** By what a caller wants to group its costs. A name, not a text: it stays in the records. */
function tagOf(given: string | string[] | undefined): string {
  if (given === undefined || given === "") return "";
  if (typeof given === "string" && /^[\w.:/@-]{1,64}$/.test(given)) return given;
  throw new Problem("invalid_request", "X-Svc-Tag must have 1 to 64 letters, digits or any of . _ : / @ -");
}

/** What a reply says about its price. */
export function costHeaders({ charged, hold }: Meter): HeaderList {
  if (charged === undefined) return ["x-svc-generation-id", hold.id];
  return ["x-svc-generation-id", hold.id, "x-svc-cost-usd", formatDollars(charged)];
}

const nextRequestId = countIds("gr_");
