import { expect, it } from "vitest";
import type { TranscriptionEngine } from "../../ports/transcription-engine.ts";
import { rateHearing } from "./rate-hearing.ts";

const engine: TranscriptionEngine = {
  languages: () => ["de", "pl", "xx"],
  rate: (language) =>
    language === "xx" ? undefined : { heard: language === "de" ? "yes" : "preview", judgedBy: "recordings" },
  hear: () => Promise.reject(new Error("not asked")),
};

it("says how well a language is heard, and by what that was judged", () => {
  expect(rateHearing(engine, "de")).toEqual({ heard: "yes", heardJudgedBy: "recordings" });
  expect(rateHearing(engine, "pl")).toEqual({ heard: "preview", heardJudgedBy: "recordings" });
});

it("leaves it to whoever added a recogniser when that one does not say", () => {
  expect(rateHearing(engine, "xx")).toEqual({ heard: "yes", heardJudgedBy: "operator" });
});

it("says no where nothing hears it", () => {
  expect(rateHearing(engine, "ml")).toEqual({ heard: "no" });
});
