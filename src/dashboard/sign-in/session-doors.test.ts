import { describe, expect, it } from "vitest";
import { checkOrigin } from "./check-origin.ts";
import { createSessionCookie } from "./cookie.ts";

describe("the session cookie", () => {
  it("is tied to the host over https and kept from scripts", () => {
    const cookie = createSessionCookie("https://voice.example.org");
    expect(cookie.write("abc", 60)).toBe("__Host-parlance=abc; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60");
    expect(cookie.clear()).toBe("__Host-parlance=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0");
    expect(cookie.read("a=1; __Host-parlance=abc; b=2")).toBe("abc");
    expect(cookie.read("parlance_session=abc")).toBeUndefined();
  });

  it("has a plain name over http, where browsers refuse the other", () => {
    const cookie = createSessionCookie("http://localhost:8080");
    expect(cookie.write("abc", 60)).toBe("parlance_session=abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=60");
  });

  it("is not believed when there are two of them", () => {
    expect(createSessionCookie("http://localhost").read("parlance_session=a; parlance_session=b")).toBeUndefined();
  });
});

describe("a request that changes something", () => {
  const ours = "https://voice.example.org";
  it.each([
    { "sec-fetch-site": "same-origin", origin: ours },
    { "sec-fetch-site": "same-origin", host: "internal:8080" },
    { origin: ours, host: "internal:8080" },
    { origin: "http://localhost:8080", host: "localhost:8080" },
  ])("is taken from a page of ours: %j", (headers) => {
    expect(() => checkOrigin(headers, ours)).not.toThrow();
  });

  it.each([
    {},
    { host: "voice.example.org" },
    { origin: "null", host: "voice.example.org" },
    { origin: "https://evil.example", host: "voice.example.org" },
    { origin: "https://voice.example.org.evil.example", host: "voice.example.org" },
    { "sec-fetch-site": "same-site", origin: ours },
    { "sec-fetch-site": "cross-site", origin: ours, host: "voice.example.org" },
    { "sec-fetch-site": "none" },
  ])("is refused from anywhere else: %j", (headers) => {
    expect(() => checkOrigin(headers, ours)).toThrow("did not come from a page of this server");
  });
});
