import { expect, it } from "vitest";
import type { Recorder } from "./copy-reply.ts";
import { createReplays, type RepeatableRequest } from "./idempotency.ts";

const request = {
  headers: { "idempotency-key": "k" },
  caller: { keyId: "key_1", workspace: { id: "ws_1" } },
  routeConfig: { url: "/x" },
};
const body = () => Buffer.from("{}");

it("a request that was given up cannot end the one that took its name", () => {
  const replays = createReplays({ now: () => 0 });
  const begin = () => replays.begin(request as unknown as RepeatableRequest, undefined as never, body);
  for (const bytes of [1, 20_000_000]) {
    const first = begin() as Recorder;
    first.abandon();
    const second = begin() as Recorder;
    first.write(Buffer.alloc(bytes));
    first.complete();
    first.abandon();
    expect(begin).toThrow("still running");
    second.abandon();
  }
});

it("many large replies of one workspace push out its own, and nobody else's", () => {
  const replays = createReplays({ now: () => 0 });
  const keep = (workspace: string, name: string, bytes: number) => {
    const asked = {
      headers: { "idempotency-key": name },
      caller: { keyId: `key_${workspace}`, workspace: { id: workspace } },
      routeConfig: { url: "/x" },
    };
    const recorder = replays.begin(asked as unknown as RepeatableRequest, undefined as never, body) as Recorder;
    recorder.write(Buffer.alloc(bytes));
    recorder.complete();
  };
  keep("modest", "one", 1000);
  for (let n = 0; n < 20; n++) keep("greedy", `large ${n}`, 10_000_000);
  expect(replays.find("key_modest one")).toBeDefined();
  expect(replays.find("key_greedy large 13")).toBeUndefined();
  expect(replays.find("key_greedy large 19")).toBeDefined();
});
