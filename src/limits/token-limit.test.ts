import { expect, it } from "vitest";
import { silentLog } from "../platform/log.ts";
import { MemoryStore } from "./memory-store.ts";
import { SlidingWindow } from "./sliding-window.ts";
import { TokenLimit } from "./token-limit.ts";

it("tokens a minute are those of the last minute, and the refusal says when there is room again", async () => {
  const clock = { time: 1_000_000, now: () => clock.time };
  const limit = new TokenLimit(new SlidingWindow(new MemoryStore(60_000, clock, 1000)), silentLog);
  await limit.admit("a", 100);
  limit.add("a", 60);
  clock.time += 20_000;
  limit.add("a", 70);
  await limit.admit("b", 100);
  await expect(limit.admit("a", 100)).rejects.toThrow("limit of 100 tokens a minute is used up. Try again in 40 s.");
  clock.time += 40_001;
  await limit.admit("a", 100);
  clock.time += 60_000;
  await limit.admit("a", 1);
});
