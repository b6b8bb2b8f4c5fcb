import { describe, expect, it } from "vitest";
import { Problem } from "../../../platform/errors.ts";
import type { Heard, HearingRequest, TranscriptionEngine } from "../../../ports/transcription-engine.ts";
import { createLocalHearing, type Generalist } from "./local-hearing.ts";

const signal = new AbortController().signal;
const request: HearingRequest = {
  samples: new Float32Array(16_000),
  speechMs: 1000,
  language: undefined,
  isInterim: false,
  key: "key",
  flow: "flow",
};
const unknown: Heard = { text: "", language: "und", confidence: 0.1 };

const pretend = (codes: string[]): TranscriptionEngine => ({ languages: () => codes, hear: async () => unknown });

/** Two pretend recognisers: what each answers to `auto` and to a named language, and how often each is asked. */
function open(given: { few?: Heard; fewPinned?: Heard; many?: Heard; isHere?: boolean; codes?: string[] }) {
  const asked = { few: 0, many: 0 };
  const left: (readonly string[])[] = [];
  const few: TranscriptionEngine = {
    languages: () => given.codes ?? ["en-us", "en-gb", "es"],
    rate: () => ({ heard: "yes", judgedBy: "recordings" }),
    async hear({ language }) {
      asked.few += 1;
      return (language ? given.fewPinned : given.few) ?? unknown;
    },
  };
  const many: Generalist = {
    isHere: () => given.isHere ?? true,
    languages: () => (given.isHere === false ? [] : ["de", "en-us", "es"]),
    rate: () => ({ heard: "preview", judgedBy: "published" }),
    async hear(_request, _signal, leftToOthers = []) {
      asked.many += 1;
      left.push(leftToOthers);
      return given.many ?? unknown;
    },
  };
  return { engine: createLocalHearing(few, many), asked, left };
}

describe("two local recognisers as one", () => {
  it("takes long over what only the one for many languages hears", () => {
    const { engine } = open({});
    expect(engine.takesLong!("de")).toBe(true);
    expect(engine.takesLong!("es")).toBe(false);
    expect(open({ isHere: false }).engine.takesLong!("de")).toBe(false);
  });

  it("asks nobody else when the first is certain of its language", async () => {
    const few = { text: "Hello there.", language: "en-us", confidence: 0.92 };
    const { engine, asked } = open({ few });
    expect(await engine.hear(request, signal)).toEqual(few);
    expect(asked).toEqual({ few: 1, many: 0 });
  });

  it("believes the one that tells languages apart when the first is not certain", async () => {
    const many = { text: "Guten Tag.", language: "de", confidence: 0.9 };
    const { engine, left } = open({ few: { text: "Good and tug.", language: "en-us", confidence: 0.7 }, many });
    expect(await engine.hear(request, signal)).toEqual(many);
    expect(left).toEqual([["en-us", "en-gb", "es"]]);
  });

  it("asks the other one first once a stream was in a language that only it hears, and notices a change back", async () => {
    const many = { text: "Guten Tag.", language: "de", confidence: 0.9 };
    const given: { few?: Heard; many: Heard } = { many };
    const { engine, asked } = open(given);
    await engine.hear(request, signal);
    expect(asked).toEqual({ few: 1, many: 1 });
    await engine.hear(request, signal);
    expect(asked).toEqual({ few: 1, many: 2 });
    given.many = { text: "", language: "en-us", confidence: 0.9 };
    given.few = { text: "Hello there.", language: "en-us", confidence: 0.7 };
    expect(await engine.hear(request, signal)).toEqual(given.few);
    expect(asked).toEqual({ few: 2, many: 3 });
    expect(await engine.hear({ ...request, flow: "another" }, signal)).toEqual(given.few);
    expect(asked).toEqual({ few: 3, many: 4 });
  });

  it("keeps the first one's words when both take it for the same language", async () => {
    const few = { text: "Hello there.", language: "en-us", confidence: 0.7 };
    const { engine, asked } = open({ few, many: { text: "", language: "en-us", confidence: 0.9 } });
    expect(await engine.hear(request, signal)).toEqual(few);
    expect(asked).toEqual({ few: 1, many: 1 });
  });

  it("lets the first hear again in the language that the other told", async () => {
    const fewPinned = { text: "Hoarse words.", language: "en-us", confidence: 0.6 };
    const { engine } = open({ fewPinned, many: { text: "", language: "en-us", confidence: 0.9 } });
    expect(await engine.hear(request, signal)).toEqual(fewPinned);
  });

  it("drops words that only sound like the language that the other told", async () => {
    const fewPinned = { text: "Dare altar.", language: "en-us", confidence: 0.44 };
    const { engine } = open({ fewPinned, many: { text: "", language: "en-us", confidence: 0.6 } });
    expect(await engine.hear(request, signal)).toMatchObject({ text: "", language: "und" });
  });

  it("keeps what the first heard when the other cannot tell, but shows no such guess", async () => {
    const few = { text: "Hello there.", language: "en-us", confidence: 0.7 };
    const { engine } = open({ few });
    expect(await engine.hear(request, signal)).toEqual(few);
    expect(await engine.hear({ ...request, isInterim: true }, signal)).toEqual(unknown);
  });

  it("drops what the first heard when the other is certain that it is a language nobody knows", async () => {
    const few = { text: "Gavi pera.", language: "en-us", confidence: 0.7 };
    const { engine } = open({ few, many: { ...unknown, isOtherLanguage: true } });
    expect(await engine.hear(request, signal)).toMatchObject({ text: "", language: "und" });
  });

  it("empties a doubtful answer in a pinned language that is not the one spoken", async () => {
    const fewPinned = { text: "Dare altar mine.", language: "en-us", confidence: 0.5 };
    const many = { text: "", language: "en-us", confidence: 0.01, isOtherLanguage: true };
    const { engine } = open({ fewPinned, many });
    const heard = await engine.hear({ ...request, language: "en-us" }, signal);
    expect(heard).toEqual({ text: "", language: "en-us", confidence: 0.01, isOtherLanguage: true });
  });

  it("keeps a doubtful answer when the language is right, and never doubts a sure one", async () => {
    const doubtful = { text: "Mumbled words.", language: "en-us", confidence: 0.5 };
    const told = { text: "", language: "en-us", confidence: 1, isOtherLanguage: false };
    const first = open({ fewPinned: doubtful, many: told });
    expect((await first.engine.hear({ ...request, language: "en-us" }, signal)).text).toBe("Mumbled words.");
    const sure = open({ fewPinned: { ...doubtful, confidence: 0.9 } });
    await sure.engine.hear({ ...request, language: "en-us" }, signal);
    expect(sure.asked.many).toBe(0);
  });

  it("keeps what the first heard when the other is busy or down, and fails only where nothing was heard", async () => {
    const few = { text: "Hello there.", language: "en-us", confidence: 0.7 };
    const failing = (answer: Heard) =>
      createLocalHearing(
        { languages: () => ["en-us"], hear: async () => answer },
        {
          languages: () => ["de"],
          isHere: () => true,
          hear: () => Promise.reject(new Problem("engine_busy", "Later.")),
        },
      );
    expect(await failing(few).hear(request, signal)).toEqual(few);
    const doubtful = { ...few, confidence: 0.5 };
    expect(await failing(doubtful).hear({ ...request, language: "en-us" }, signal)).toEqual(doubtful);
    await expect(failing(unknown).hear(request, signal)).rejects.toThrow("Later.");
  });

  it("is the first alone while the other's model is not here", async () => {
    const few = { text: "", language: "und", confidence: 0.2 };
    const { engine, asked } = open({ few, isHere: false });
    expect(await engine.hear(request, signal)).toEqual(few);
    expect(asked.many).toBe(0);
    expect(engine.languages()).toEqual(["en-us", "en-gb", "es"]);
    expect(engine.translates).toBe(false);
  });

  it("translates what is not English, in the language that was named or found, and writes English down", async () => {
    const translated = { ...request, isTranslated: true };
    const german = open({ many: { text: "Good day.", language: "de", confidence: 0.9 } });
    expect((await german.engine.hear(translated, signal)).text).toBe("Good day.");
    expect(german.asked).toEqual({ few: 1, many: 2 });
    const named = open({ many: { text: "Good day.", language: "de", confidence: 0.9 } });
    await named.engine.hear({ ...translated, language: "de" }, signal);
    expect(named.asked).toEqual({ few: 0, many: 1 });
    const english = { text: "Hello there.", language: "en-us", confidence: 0.95 };
    const plain = open({ few: english, fewPinned: english });
    expect(await plain.engine.hear(translated, signal)).toEqual(english);
    expect(await plain.engine.hear({ ...translated, language: "en-us" }, signal)).toEqual(english);
    expect(plain.asked).toEqual({ few: 2, many: 0 });
    expect(await open({}).engine.hear(translated, signal)).toEqual(unknown);
  });

  it("loads ahead only what will be needed", () => {
    const warmed: string[] = [];
    const few = { ...pretend(["en-us"]), warm: () => warmed.push("few") };
    const many = { ...pretend(["en-us", "de"]), isHere: () => true, warm: () => warmed.push("many") };
    const engine = createLocalHearing(few, many);
    engine.warm?.("en-us");
    expect(warmed.splice(0)).toEqual(["few"]);
    engine.warm?.("de");
    expect(warmed.splice(0)).toEqual(["many"]);
    engine.warm?.();
    expect(warmed).toEqual(["few", "many"]);
  });

  it("rates a language by whoever hears it", () => {
    const { engine } = open({});
    expect(engine.rate?.("es")).toEqual({ heard: "yes", judgedBy: "recordings" });
    expect(engine.rate?.("de")).toEqual({ heard: "preview", judgedBy: "published" });
    expect(engine.languages()).toEqual(["en-us", "en-gb", "es", "de"]);
  });
});
