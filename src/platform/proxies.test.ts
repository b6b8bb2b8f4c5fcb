import { describe, expect, it } from "vitest";
import { isDirect, proxiesFor, readProxies } from "./proxies.ts";

describe("proxies of the environment", () => {
  it("are those that every program knows, and never stand before this machine", () => {
    expect(readProxies({})).toBeUndefined();
    const env = { HTTPS_PROXY: "http://proxy:3128", no_proxy: ".corp.example,10.0.0.7" };
    expect(readProxies(env)).toEqual({
      httpsProxy: "http://proxy:3128",
      noProxy: ".corp.example,10.0.0.7,localhost,127.0.0.1,::1",
    });
    expect(proxiesFor("http://a.example", env)).toBeUndefined();
    expect(proxiesFor("https://a.example", env)).toBeDefined();
  });

  it.each([
    ["a.example", "", false],
    ["a.example", "*", true],
    ["a.example", "example", true],
    ["a.example", "*.example", true],
    ["a.example", "b.example a.example:443", true],
    ["ba.example", "a.example", false],
  ])("leave out %s where NO_PROXY is %j: %s", (host, noProxy, expected) => {
    expect(isDirect(host, { noProxy })).toBe(expected);
  });
});
