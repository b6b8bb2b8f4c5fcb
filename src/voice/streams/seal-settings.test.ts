import { expect, it } from "vitest";
import { openSettings, sealSettings } from "./seal-settings.ts";

const settings = { voice: "en_nora", styleText: "Zwiebelkuchen" };

it("settings are readable only with the token that they were sealed with", () => {
  const sealed = sealSettings(settings, "prt_one");
  expect(JSON.stringify(sealed)).not.toContain("Zwiebelkuchen");
  expect(Buffer.from(String(sealed.sealed), "base64").includes("Zwiebelkuchen")).toBe(false);
  expect(openSettings(sealed, "prt_one")).toEqual(settings);
  expect(() => openSettings(sealed, "prt_two")).toThrow();
});

it("the same settings never look the same", () => {
  expect(sealSettings(settings, "prt_one")).not.toEqual(sealSettings(settings, "prt_one"));
});

it("settings of older tokens are read as they are", () => {
  expect(openSettings({ language: "es" }, "prt_one")).toEqual({ language: "es" });
});
