import { beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../platform/log.ts";
import type { UpstreamClient } from "../../ports/model-upstream.ts";
import type { KindName } from "../upstreams/kinds/kind.ts";
import { createUpstream } from "../upstreams/upstream.ts";
import { createCatalog } from "./catalog.ts";

let now: number;
const clock = { now: () => now };
beforeEach(() => {
  now = 1_000_000;
});

type Answer = { status: number; body: unknown } | "down";

/** An upstream whose catalog is what `answers` says at the moment. */
function pretendUpstream(kind: KindName, answers: Record<string, Answer>, models: string[] = []) {
  const asked: string[] = [];
  const client: UpstreamClient = {
    origin: "http://upstream.example",
    async ask({ path }) {
      asked.push(path);
      const answer = answers[path] ?? { status: 404, body: {} };
      await new Promise((resolve) => setImmediate(resolve));
      if (answer === "down") throw new Error("refused");
      const unread = [Buffer.from(JSON.stringify(answer.body))];
      return { status: answer.status, header: () => undefined, read: async () => unread.shift(), cancel() {} };
    },
    async close() {},
  };
  const name = `${kind}-${Math.random()}`;
  const address = { name, title: name, url: "http://upstream.example/v1", key: "k", kind, models };
  const upstream = createUpstream(address, client, clock);
  return { answers, asked, upstream };
}

function pretend(kind: KindName, answers: Record<string, Answer>) {
  const pretended = pretendUpstream(kind, answers);
  return { ...pretended, catalog: createCatalog([pretended.upstream], clock, silentLog) };
}

const listed = (...ids: string[]): Answer => ({
  status: 200,
  body: { object: "list", data: ids.map((id) => ({ id, object: "model", pricing: { input: "0.1" } })) },
});
const idsOf = async (catalog: ReturnType<typeof createCatalog>) => (await catalog.list()).map(({ id }) => id);

describe("a catalog", () => {
  it("is asked for once a minute", async () => {
    const { catalog, asked, answers } = pretend("vercel", { "/v1/models": listed("a/one") });
    await Promise.all([catalog.list(), catalog.list(), catalog.routesFor("a/one")]);
    expect(asked).toEqual(["/v1/models"]);
    answers["/v1/models"] = listed("a/two");
    now += 59_999;
    expect(await idsOf(catalog)).toEqual(["a/one"]);
    now += 1;
    expect(await idsOf(catalog)).toEqual(["a/two"]);
    expect(asked).toHaveLength(2);
  });

  it("is served as it was known while the upstream is down, which is asked again every five seconds", async () => {
    const { catalog, asked, answers } = pretend("vercel", { "/v1/models": listed("a/one") });
    await catalog.list();
    const failures: Answer[] = ["down", { status: 500, body: {} }];
    for (const failure of failures) {
      answers["/v1/models"] = failure;
      now += 60_000;
      const before = asked.length;
      expect(await idsOf(catalog)).toEqual(["a/one"]);
      expect((await catalog.routesFor("a/one"))[0]?.listed?.id).toBe("a/one");
      now += 4_999;
      expect(await idsOf(catalog)).toEqual(["a/one"]);
      expect(asked.length - before).toBe(1);
    }
    answers["/v1/models"] = listed("a/two");
    now += 5_000;
    expect(await idsOf(catalog)).toEqual(["a/two"]);
  });

  it("does not hold a request up that can be routed by what is known", async () => {
    const { catalog, answers } = pretend("vercel", { "/v1/models": listed("a/one") });
    await catalog.list();
    answers["/v1/models"] = listed("a/two");
    now += 60_000;
    expect((await catalog.routesFor("a/one"))[0]?.listed?.id).toBe("a/one");
  });

  it("that was never known is an upstream error, and a request is sent without it", async () => {
    const { catalog } = pretend("vercel", { "/v1/models": "down" });
    await expect(catalog.list()).rejects.toMatchObject({ kind: "upstream_failed" });
    expect(await catalog.routesFor("a/one")).toMatchObject([{ listed: undefined }]);
  });

  it("that refuses our credential says so", async () => {
    const { catalog } = pretend("vercel", { "/v1/models": { status: 401, body: {} } });
    await expect(catalog.list()).rejects.toMatchObject({ kind: "gateway_unavailable" });
  });

  it("that lists providers knows all there are; a plain server that is the sole one is asked for every name", async () => {
    const gateway = pretend("vercel", { "/v1/models": listed("a/one") });
    await expect(Promise.resolve(gateway.catalog.routesFor("a/none"))).rejects.toMatchObject({
      kind: "model_not_found",
    });
    for (const none of [listed("one"), listed(), { status: 404, body: {} }]) {
      const { catalog } = pretend("openai", { "/v1/models": none });
      expect(await catalog.routesFor("none")).toMatchObject([{ listed: undefined }]);
    }
  });

  it("takes several models with commas between for none, unless one is called so", async () => {
    const { catalog } = pretend("litellm", { "/v1/models": listed("a/*", "one", "one,two") });
    expect(await catalog.routesFor("a/two")).toHaveLength(1);
    expect(await catalog.routesFor("one,two")).toHaveLength(1);
    for (const model of ["one,one", "a/two,a/two"]) {
      await expect(Promise.resolve(catalog.routesFor(model))).rejects.toMatchObject({ kind: "model_not_found" });
    }
  });

  it("may be spread over several lists, of which only the first must be there", async () => {
    const { catalog, answers } = pretend("openrouter", {
      "/v1/models": listed("a/chat"),
      "/v1/videos/models": listed("a/video"),
      "/v1/images/models": "down",
    });
    expect(await idsOf(catalog)).toEqual(["a/chat", "a/video"]);
    answers["/v1/models"] = "down";
    now += 60_000;
    expect(await idsOf(catalog)).toEqual(["a/chat", "a/video"]);
    answers["/v1/models"] = listed("a/chat");
    answers["/v1/videos/models"] = "down";
    now += 60_000;
    expect(await idsOf(catalog)).toEqual(["a/chat", "a/video"]);
  });

  it("without upstreams has no models to route to", async () => {
    const catalog = createCatalog([], clock, silentLog);
    await expect(catalog.routesFor("a/one")).rejects.toThrow(/No upstream gateway is configured/);
    await expect(catalog.routesFor("local/none")).rejects.toThrow(/There is no model "local.none"/);
  });
});

describe("several upstreams", () => {
  const gateway = () => pretendUpstream("vercel", { "/v1/models": listed("a/one") });
  const routesOf = async (model: string, ...all: ReturnType<typeof pretendUpstream>[]) => {
    const catalog = createCatalog(
      all.map(({ upstream }) => upstream),
      clock,
      silentLog,
    );
    return (await catalog.routesFor(model)).map(({ upstream }) => all.findIndex((one) => one.upstream === upstream));
  };

  it("are asked for what they list, and a plain server for nothing else", async () => {
    for (const answer of [listed("mine"), listed(), { status: 404, body: {} }, "down"] as Answer[]) {
      const plain = pretendUpstream("openai", { "/v1/models": answer });
      expect(await routesOf("a/one", plain, gateway())).toEqual([1]);
      expect(await routesOf("a/one", gateway(), plain)).toEqual([0]);
    }
  });

  it("are asked for what their patterns name, listed or not", async () => {
    const plain = pretendUpstream("openai", { "/v1/models": { status: 404, body: {} } }, ["b/*", "large"]);
    expect(await routesOf("b/two", gateway(), plain)).toEqual([1]);
    expect(await routesOf("large", gateway(), plain)).toEqual([1]);
    await expect(routesOf("larger", gateway(), plain)).rejects.toMatchObject({ kind: "model_not_found" });
  });

  it("of which one never told its list may have what the others have not: that is its failure", async () => {
    const down = pretendUpstream("vercel", { "/v1/models": "down" });
    await expect(routesOf("c/three", gateway(), down)).rejects.toMatchObject({ kind: "upstream_failed" });
  });
});
