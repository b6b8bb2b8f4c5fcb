import { describe, expect, it } from "vitest";
import { Tally } from "./tally.ts";

const none = { input: null, output: null, cached: null, audio: null };

describe("a tally of requests", () => {
  it("adds up what groups of them have, empty places left out", () => {
    const tally = new Tally();
    tally.addGroup({ ...none, status: 200, durations: "{10,20,30}", input: "{1,NULL,3}", audio: "{1500,NULL,NULL}" });
    tally.addGroup({ ...none, status: 500, durations: "{40}", output: "{7}" });
    expect(tally.figures()).toEqual({
      requests: 4,
      errors: 1,
      p50Ms: 20,
      p95Ms: 40,
      p99Ms: 40,
      inputTokens: 4,
      outputTokens: 7,
      cachedTokens: 0,
      audioSeconds: 1.5,
    });
  });

  it("knows percentiles to 2 %, also of tallies that were added up", () => {
    const [one, other, all] = [new Tally(), new Tally(), new Tally()];
    const durations = Array.from({ length: 10_000 }, (_, index) => ((index * 7919) % 10_000) + 1);
    one.addGroup({ ...none, status: 200, durations: `{${durations.slice(0, 6000)}}` });
    other.addGroup({ ...none, status: 200, durations: `{${durations.slice(6000)}}` });
    all.addTally(one);
    all.addTally(other);
    const { p50Ms, p95Ms, p99Ms } = all.figures();
    expect(Math.abs(p50Ms! / 5000 - 1)).toBeLessThan(0.02);
    expect(Math.abs(p95Ms! / 9500 - 1)).toBeLessThan(0.02);
    expect(Math.abs(p99Ms! / 9900 - 1)).toBeLessThan(0.02);
  });

  it("of nothing has no percentiles", () => {
    expect(new Tally().figures()).toMatchObject({ requests: 0, p50Ms: null, p99Ms: null });
  });
});
