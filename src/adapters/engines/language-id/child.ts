import { eld } from "eld";
import { getLIDModel } from "fasttext.wasm.js";
import type { DetectedLanguage } from "../../../ports/language-detector.ts";
import { serveChild } from "../host/serve-child.ts";
import { judge } from "./judge.ts";

type Fallback = Awaited<ReturnType<typeof getLIDModel>>;

/** The beginning of a text tells its language; the rest would only take time. */
const MOST_CHARACTERS = 1000;

serveChild({
  async load(): Promise<Fallback> {
    // The small table is as accurate as the larger ones on whole sentences, and takes a third of the memory.
    if ("load" in eld) await eld.load("small");
    const fallback = await getLIDModel();
    await fallback.load();
    return fallback;
  },
  tasks: {
    async *detect({ text }: { text: string }, fallback: Fallback) {
      const beginning = text.slice(0, MOST_CHARACTERS).replaceAll(/https?:\/\/\S+|\S+@\S+|[\d_<>[\](){}|\n\r]+/g, " ");
      const first = eld.detect(beginning);
      const second = await fallback.identify(beginning.trim() || "-");
      yield judge(
        beginning,
        { language: first.language, isReliable: first.isReliable() },
        { language: second.alpha2 ?? "", probability: second.possibility },
      ) satisfies DetectedLanguage | undefined;
    },
  },
});
