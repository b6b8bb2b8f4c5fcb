import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { allSettings, readSettings } from "../../src/platform/settings/settings.ts";

describe("settings", () => {
  it("all have a line in .env.example, and nothing else has", () => {
    const example = readFileSync(resolve(import.meta.dirname, "../../.env.example"), "utf8");
    const named = [...example.matchAll(/^#?(SVC_[A-Z_]+)=/gm)].map((match) => match[1]);
    expect(named.sort()).toEqual(
      allSettings()
        .map(({ env }) => env)
        .sort(),
    );
  });

  it("have defaults that work", () => {
    expect(readSettings({}).server.port).toBe(8080);
  });

  it.each([
    [{ SVC_PORT: "many" }, 'SVC_PORT is "many" but must be a whole number from 0 to 65535.'],
    [
      { SVC_SERVICES: "voice,video" },
      'SVC_SERVICES is "voice,video" but must be one of voice, gateway, extraction, dashboard.',
    ],
    [
      { SVC_EDGE_UPLOAD_LIMIT: "lots" },
      'SVC_EDGE_UPLOAD_LIMIT is "lots" but must be a size such as "4.5MB" or a number of bytes.',
    ],
    [{ SVC_LOG_TRANSCRIPTS: "maybe" }, 'SVC_LOG_TRANSCRIPTS is "maybe" but must be 1 or 0.'],
    [
      { SVC_PUBLIC_URL: "example.com" },
      'SVC_PUBLIC_URL is "example.com" but must be an address that begins with http:// or https://.',
    ],
  ])("that make no sense are named with what would: %o", (env, message) => {
    expect(() => readSettings(env)).toThrow(message);
  });

  it("never show the value of a secret", () => {
    expect(() => readSettings({ SVC_DATABASE_URL: "mysql://me:secret@host/db" })).toThrow(
      /^SVC_DATABASE_URL must begin/,
    );
  });
});
