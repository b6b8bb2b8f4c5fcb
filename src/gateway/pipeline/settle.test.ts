import { expect, it } from "vitest";
import type { Route } from "../catalog/catalog.ts";
import { readPrices } from "../charging/prices.ts";
import { createUpstream } from "../upstreams/upstream.ts";
import type { RequestContext } from "./context.ts";
import { bookAbandoned } from "./settle.ts";

it("what an upstream may bill that was given up is on record and charged to nobody", async () => {
  const settled: unknown[][] = [];
  const books = {
    reserve: async (wanted: object) => ({ ...wanted, amount: 0n }),
    settle: (...args: unknown[]) => settled.push(args),
  };
  const address = { url: "http://slow.example/v1", key: "k", kind: "openai", models: [] } as const;
  const record = { id: "acme/chat" };
  const route: Route = {
    upstream: createUpstream(address, 0, undefined as never, { now: () => 0 }),
    model: "acme/chat",
    listed: { id: record.id, record, prices: readPrices({ input: "0.000001", output: "0.000002" }) },
  };
  const context = {
    gateway: { books },
    endpoint: { inputTokens: () => 100 },
    request: { body: {}, caller: { workspace: { id: "ws_1" } } },
  } as unknown as RequestContext<{ model: string }>;
  const about = {
    keyId: "key_1",
    endpoint: "chat/completions",
    model: "acme/chat",
    provider: "",
    upstream: "",
    tag: "",
  };
  bookAbandoned(context, route, about);
  await expect.poll(() => settled.length).toBe(1);
  const [hold, charge, { about: kind, figures }] = settled[0] as [object, bigint, { about: object; figures: bigint[] }];
  expect([hold, charge]).toEqual([expect.objectContaining({ workspaceId: "ws_1", wanted: 0n }), 0n]);
  expect(kind).toMatchObject({ upstream: "openai-1", model: "acme/chat", provider: "acme", costSource: "abandoned" });
  expect(figures).toEqual([100, 0, 100_000_000n]);
});
