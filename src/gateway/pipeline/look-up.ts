import type { Books } from "../../credits/books.ts";
import type { Atto } from "../../credits/money.ts";
import type { Log } from "../../platform/log.ts";
import { Meter } from "../charging/meter.ts";
import { readCost, tokens } from "../charging/read-usage.ts";
import type { Metered } from "../charging/request-kinds.ts";
import { isObject, parseObject } from "../json.ts";
import { callUpstream, fetchWhole, type Upstream } from "../upstreams/upstream.ts";

export interface LookUps {
  /** Asks the upstream what a generation cost until it knows, and settles. `fallBack` settles when it never does. */
  start(upstream: Upstream, reference: string, meter: Meter, fallBack: () => void): void;
  /** Ends the holds that an earlier run has left open. */
  finishInherited(upstreams: readonly Upstream[]): void;
  readonly running: number;
  stop(): void;
}

/** Upstreams write a generation down some seconds after its end. */
export const lookUpPausesMs: readonly number[] = [3_000, 6_000, 12_000, 24_000, 48_000];
const patienceMs = 10_000;

export function createLookUps(books: Books, log: Log, pausesMs = lookUpPausesMs): LookUps {
  const timers = new Set<NodeJS.Timeout>();
  let isStopped = false;

  function start(upstream: Upstream, reference: string, meter: Meter, fallBack: () => void, tries = 0): void {
    if (tries >= pausesMs.length) {
      log.warn({ upstream: upstream.name, request: meter.hold.id }, "the upstream never told what a request cost");
      fallBack();
      return;
    }
    const timer = setTimeout(async () => {
      const found = await ask(upstream, reference).catch(() => undefined);
      timers.delete(timer);
      if (isStopped) return;
      if (!found) return start(upstream, reference, meter, fallBack, tries + 1);
      meter.observe({ ...found, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0, seconds: undefined });
      meter.settle(found.cost, "looked-up");
    }, pausesMs[tries]);
    timer.unref();
    timers.add(timer);
  }

  return {
    start,
    finishInherited(upstreams) {
      for (const { reference, about, ...hold } of books.inherited) {
        const meter = new Meter({ books, hold, log, about: about as Metered, usage: {} });
        // The settings may have changed since; only the upstream that served it can know the reference.
        const candidates = upstreams.filter(({ kind }) => kind.generationPath);
        const upstream = candidates.find(({ name }) => name === (about as Metered).upstream) ?? candidates[0];
        if (upstream) start(upstream, reference, meter, () => meter.release());
        else meter.release();
      }
    },
    get running() {
      return timers.size;
    },
    stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

async function ask(
  upstream: Upstream,
  reference: string,
): Promise<{ cost: Atto; inputTokens: number; outputTokens: number } | undefined> {
  const path = upstream.basePath + upstream.kind.generationPath!(reference);
  const call = callUpstream(upstream, { method: "GET", path });
  const options = { signal: AbortSignal.timeout(patienceMs), limit: 1_000_000 };
  const { status, body: bytes } = await fetchWhole(upstream, call, options);
  const body = parseObject(bytes.toString("utf8"));
  const data = isObject(body?.data) ? body.data : undefined;
  const cost = readCost(data?.total_cost ?? data?.usage);
  if (status !== 200 || !data || cost === undefined) return undefined;
  return {
    cost,
    inputTokens: tokens(data.tokens_prompt ?? data.native_tokens_prompt),
    outputTokens: tokens(data.tokens_completion ?? data.native_tokens_completion),
  };
}
