import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HttpApp } from "../platform/http/create-server.ts";
import { servePages } from "./serve-pages.ts";

describe("the dashboard's pages", () => {
  const folder = mkdtempSync(join(tmpdir(), "parlance-pages-"));
  const app = Fastify() as unknown as HttpApp;

  beforeAll(() => {
    mkdirSync(join(folder, "assets"));
    writeFileSync(join(folder, "index.html"), "<p>app</p>");
    writeFileSync(join(folder, "assets", "main-abc.js"), "plain");
    writeFileSync(join(folder, "assets", "main-abc.js.br"), "brotli");
    writeFileSync(join(folder, "assets", "main-abc.js.gz"), "gzip");
    servePages(app, folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const get = (url: string, headers = {}) => app.inject({ url, headers });

  it("are the application at every deep link, asked for anew each time", async () => {
    for (const url of ["/", "/sign-in", "/w/ws_1/keys", "/account/sessions", "/admin"]) {
      const reply = await get(url);
      expect([url, reply.statusCode, reply.body]).toEqual([url, 200, "<p>app</p>"]);
      expect(reply.headers["cache-control"]).toBe("no-cache");
    }
  });

  it("may run no inline script and load nothing from elsewhere", async () => {
    const policy = String((await get("/")).headers["content-security-policy"]);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it("keep hashed files for good, and send the best compression that the browser takes", async () => {
    const best = await get("/assets/main-abc.js", { "accept-encoding": "gzip, deflate, br" });
    expect([best.body, best.headers["content-encoding"]]).toEqual(["brotli", "br"]);
    expect(best.headers["cache-control"]).toContain("immutable");
    expect((await get("/assets/main-abc.js", { "accept-encoding": "gzip" })).body).toBe("gzip");
    expect((await get("/assets/main-abc.js")).body).toBe("plain");
  });

  it("are not sent again to who has them", async () => {
    const { etag } = (await get("/assets/main-abc.js")).headers;
    expect((await get("/assets/main-abc.js", { "if-none-match": etag })).statusCode).toBe(304);
  });

  it("leave every other path to whoever answers for it", async () => {
    for (const url of [
      "/v1/nothing",
      "/keys",
      "/assets/../index.html",
      "/assets/%2e%2e/index.html",
      "/index.html",
      "/assets/main-abc.js.br",
    ]) {
      expect([url, (await get(url)).statusCode]).toEqual([url, 404]);
    }
  });

  it("say that they are not built, instead of failing", async () => {
    const bare = Fastify() as unknown as HttpApp;
    servePages(bare, join(folder, "nowhere"));
    expect((await bare.inject({ url: "/" })).body).toContain("npm run build");
  });
});
