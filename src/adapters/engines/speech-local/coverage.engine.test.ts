import { afterAll, expect, it } from "vitest";
import { listenTexts } from "../../../../scripts/listen-texts.ts";
import { silentLog } from "../../../platform/log.ts";
import { createEspeakPhonemizer } from "../espeak/phonemizer.ts";
import { isKokoroSymbol } from "../kokoro/symbols.ts";
import { toKokoroSymbols } from "../kokoro/to-kokoro-symbols.ts";
import { speechCatalog } from "./catalog.ts";

const phonemizer = createEspeakPhonemizer({ log: silentLog });
afterAll(() => phonemizer.host.close());

it.each(speechCatalog.map(({ code, phonemes }) => [code, phonemes ?? code] as const))(
  "at least 98 %% of the sounds of %s are Kokoro's, or have a neighbour there",
  async (code, phonemes) => {
    const job = { key: "test", flow: code, signal: new AbortController().signal };
    const [words] = await phonemizer.phonemize([listenTexts[code]!.replace(/[.,।۔։]/gu, " ")], phonemes, job);
    const symbols = [...words!.map((word) => toKokoroSymbols(word, phonemes)).join("")];
    const strange = symbols.filter((symbol) => !isKokoroSymbol(symbol));
    expect(symbols.length).toBeGreaterThan(30);
    expect(strange.length / symbols.length, strange.join(" ")).toBeLessThanOrEqual(0.02);
  },
);
