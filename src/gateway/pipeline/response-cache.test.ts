import { expect, it } from "vitest";
import { type CacheableRequest, createResponseCache } from "./response-cache.ts";

function openCache() {
  let nowMs = 1_000_000;
  const cache = createResponseCache({ now: () => nowMs });
  const turn = (text: string, ttl: string, workspace = "ws_1") => {
    const request = {
      headers: { "x-svc-cache-ttl": ttl },
      caller: { workspace: { id: workspace } },
      routeConfig: { url: "/chat/completions" },
    } as unknown as CacheableRequest;
    return cache.open(request, "chat/completions", () => Buffer.from(text))!;
  };
  const fill = (text: string, body: string | Buffer, { ttl = "60", workspace = "ws_1", status = 200 } = {}) => {
    const { recorder } = turn(text, ttl, workspace);
    recorder.start(status, {});
    recorder.write(body);
    recorder.complete();
  };
  return { turn, fill, pass: (ms: number) => (nowMs += ms) };
}

it("a reply is there until its TTL is over, and tells its age", () => {
  const { turn, fill, pass } = openCache();
  fill("one", "réply", { ttl: "10" });
  pass(9_999);
  expect(turn("one", "10").found).toMatchObject({ body: Buffer.from("réply"), ageSeconds: 9 });
  pass(1);
  expect(turn("one", "60").found).toBeUndefined();
});

it("a reply that is older than the request allows is not found", () => {
  const { turn, fill, pass } = openCache();
  fill("one", "reply");
  pass(5_000);
  expect(turn("one", "5").found).toBeUndefined();
  expect(turn("one", "6").found?.ageSeconds).toBe(5);
});

it("neither failures nor replies of more than two megabytes are kept", () => {
  const { turn, fill } = openCache();
  fill("one", "no", { status: 400 });
  fill("two", Buffer.alloc(2_000_000));
  fill("three", Buffer.alloc(2_000_001));
  expect(turn("one", "60").found).toBeUndefined();
  expect(turn("two", "60").found?.body.length).toBe(2_000_000);
  expect(turn("three", "60").found).toBeUndefined();
});

it("a workspace that fills its room loses its own oldest replies and nobody else's", () => {
  const { turn, fill } = openCache();
  fill("other", "small", { workspace: "ws_2" });
  for (let n = 0; n < 9; n++) fill(`large ${n}`, Buffer.alloc(1_900_000));
  expect(turn("large 0", "60").found).toBeUndefined();
  expect(turn("large 8", "60").found).toBeDefined();
  expect(turn("other", "60", "ws_2").found?.body.toString()).toBe("small");
  expect(turn("large 8", "60", "ws_2").found).toBeUndefined();
});
