import type { KeyBudget, KeyBudgets } from "../../credits/key-budgets.ts";
import type { Pico } from "../../credits/money.ts";
import { InsufficientCredits } from "../../credits/refuse.ts";
import { Problem } from "../../platform/errors.ts";
import { countIds } from "../../platform/ids.ts";
import { type Estimate, tellWhatFits } from "../charging/estimate.ts";
import { Meter, providerOf } from "../charging/meter.ts";
import type { Endpoint } from "../upstreams/kinds/kind.ts";
import type { Gateway, Payer } from "./gateway.ts";
import { checkModel } from "./resolve.ts";

interface About {
  readonly endpoint: Endpoint;
  readonly model: string;
  /** As the caller calls it, where that is another name. */
  readonly named?: string;
  /** Who is asked first. */
  readonly upstream: string;
}

/** Checks the key's rules and sets the worst case aside. What the key's day and month have left bounds it, and they get back what the
 *  request does not cost. */
export async function reserve(gateway: Gateway, request: Payer, about: About, estimate: Estimate): Promise<Meter> {
  const { models, keyId: id, dailyLimit, monthlyLimit, tokensPerMinute } = request.caller;
  checkModel(models, about.named ?? about.model);
  const isLimited = dailyLimit != null || monthlyLimit != null || tokensPerMinute != null;
  if (!isLimited) return open(gateway, request, about, estimate, estimate.wanted);
  if (tokensPerMinute != null) await gateway.tokenLimit.admit(id, tokensPerMinute);
  const budgets: KeyBudget[] = [];
  const end = (charged: Pico) => {
    for (const budget of budgets) budget.end(charged);
  };
  let { wanted } = estimate;
  const bound = async (from: KeyBudgets, limit: Pico | null | undefined) => {
    if (limit == null) return;
    const budget = await from.take({ id, limit }, wanted, estimate.least);
    budgets.push(budget);
    wanted = budget.wanted;
  };
  try {
    await bound(gateway.dailyBudgets, dailyLimit);
    await bound(gateway.monthlyBudgets, monthlyLimit);
    const meter = await open(gateway, request, about, estimate, wanted);
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

async function open(
  { books, log }: Gateway,
  { usage, caller, headers }: Payer,
  { endpoint, model, upstream }: About,
  estimate: Estimate,
  wanted: Pico,
): Promise<Meter> {
  usage.model = model;
  const tag = tagOf(headers["x-svc-tag"]);
  const about = { keyId: caller.keyId, endpoint, model, provider: providerOf(model), upstream, tag };
  const asked = { id: nextRequestId(), workspaceId: caller.workspace.id, wanted, least: estimate.least };
  try {
    return new Meter({ books, hold: await books.reserve(asked), log, about, usage });
  } catch (error) {
    if (!(error instanceof InsufficientCredits)) throw error;
    const { message, available, retryAfterSeconds } = error;
    throw new InsufficientCredits(message + tellWhatFits(estimate, available), available, retryAfterSeconds);
  }
}

/** By what a caller wants to group its costs. A name, not a text: it stays in the records. */
function tagOf(given: string | string[] | undefined): string {
  if (given === undefined || given === "") return "";
  if (typeof given === "string" && /^[\w.:/@-]{1,64}$/.test(given)) return given;
  throw new Problem("invalid_request", "X-Svc-Tag must have 1 to 64 letters, digits or any of . _ : / @ -");
}

export const nextRequestId = countIds("gr_");
