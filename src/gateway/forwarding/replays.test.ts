import { expect, it } from "vitest";
import type { Recorder } from "./outlet.ts";
import { createReplays, type RepeatableRequest } from "./replays.ts";

const request = { headers: { "idempotency-key": "k" }, caller: { keyId: "key_1" }, routeConfig: { url: "/x" } };
const body = Buffer.from("{}");

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
