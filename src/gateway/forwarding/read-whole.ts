import type { Problem } from "../../platform/errors.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import { nothingInside } from "../upstreams/upstream-problem.ts";
import type { Started } from "./asking.ts";

const largestReply = 128_000_000;

/** All of a reply, or why there is none. Throws when the caller hangs up and the upstream is to stop with it. */
export function readWhole({ live, hangUp, stopsWithCaller }: Started): Buffer | Promise<Buffer | Problem> {
  const { whatCame } = live;
  if (whatCame) return whatCame;
  if (stopsWithCaller) hangUp.addEventListener("abort", () => live.abort());
  return live.whole(largestReply, (cause) => {
    if (hangUp.aborted && stopsWithCaller) throw hangUp.reason;
    return nothingInside("half of its reply", cause);
  });
}

/** OpenRouter keeps slow connections awake with blank lines before the JSON; JSON does not mind them. */
export function parseObject(text: string): Json | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
