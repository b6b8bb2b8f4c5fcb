import { afterAll, describe, expect, it } from "vitest";
import { countWordErrors, createListener, type Listener } from "../../../../tests/support/listener.ts";
import { lacksModels, modelStore, openLocalSpeech, speechModels } from "../../../../tests/support/local-speech.ts";
import { logMel, melDistance } from "../../../audio/mel.ts";
import { joinSamples } from "../../../audio/pcm.ts";
import { resample } from "../../../audio/resample.ts";
import { speechEngineContract } from "../../../ports/speech-engine.contract.ts";
import { speechCatalog } from "./catalog.ts";

describe.skipIf(lacksModels(...speechModels))("the voices of this machine", () => {
  const local = openLocalSpeech();
  afterAll(() => local.close());

  speechEngineContract("kokoro and piper", async () => ({ engine: local.engine, async close() {} }));

  async function say(text: string, language: string, voice: string): Promise<Float32Array> {
    const parts: Float32Array[] = [];
    const request = { text, language, voice, speed: 1, key: "test", flow: voice };
    for await (const { samples } of local.engine.speak(request, new AbortController().signal)) parts.push(samples);
    return joinSamples(parts);
  }

  /** Words misheard. A voice draws its rhythm by lot, and now and then the recogniser stumbles over a take: where it does, the
   *  middle one of three counts. */
  async function countMisheard(listen: Listener, text: string, language: string, voice: string): Promise<number> {
    const take = async () =>
      countWordErrors(text, await listen(resample(await say(text, language, voice), 24000, 16000)));
    const first = await take();
    if (first <= 1) return first;
    return [first, await take(), await take()].sort((a, b) => a - b)[1]!;
  }

  describe.skipIf(lacksModels("moonshine-base-en"))("English", () => {
    // Piper swallows a soft first word unless it is helped.
    const text = "The train crossed the bridge before the storm arrived.";
    // Every eighth: all of them are heard by bench/speech --voices.
    const voices = speechCatalog
      .filter(({ code }) => code.startsWith("en-"))
      .flatMap(({ code, voices: all }) => all.map(({ id }) => [code, id] as const))
      .filter((_voice, index) => index % 8 === 0);
    const listening = createListener(modelStore.folder("moonshine-base-en"));

    it.each(voices)("%s %s is understood", async (language, voice) => {
      // One word of nine may be misheard: the recogniser errs on people, too.
      expect(await countMisheard(await listening, text, language, voice)).toBeLessThanOrEqual(1);
    });
  });

  describe.skipIf(lacksModels("moonshine-base-es"))("Spanish", () => {
    const text = "Mañana vamos a visitar la casa de mi hermano en el campo.";
    const listening = createListener(modelStore.folder("moonshine-base-es"));

    it.each(["ef_dora", "em_alex", "em_santa"])("%s is understood", async (voice) => {
      expect(await countMisheard(await listening, text, "es", voice)).toBeLessThanOrEqual(1);
    });
  });

  // One language for each script and each way of spelling sounds; all of them are heard by bench/speech --voices. Every second of sound
  // takes Kokoro most of one: the text to tell apart from the other is one word.
  const samples: Record<string, readonly [string, string]> = {
    fr: ["Bonjour, je m'appelle Claire.", "Demain."],
    de: ["Guten Morgen, ich heiße Klara.", "Morgen."],
    pl: ["Dzień dobry, nazywam się Klara.", "Jutro."],
    el: ["Καλημέρα, με λένε Κλάρα.", "Αύριο."],
    hi: ["नमस्ते, मेरा नाम क्लारा है।", "कल।"],
    bn: ["নমস্কার, আমার নাম ক্লারা।", "কাল।"],
    ta: ["வணக்கம், என் பெயர் கிளாரா.", "நாளை."],
    te: ["నమస్కారం, నా పేరు క్లారా.", "రేపు."],
    gu: ["નમસ્તે, મારું નામ ક્લારા છે.", "કાલે."],
    kn: ["ನಮಸ್ಕಾರ, ನನ್ನ ಹೆಸರು ಕ್ಲಾರಾ.", "ನಾಳೆ."],
    ml: ["നമസ്കാരം, എന്റെ പേര് ക്ലാര.", "നാളെ."],
    pa: ["ਸਤ ਸ੍ਰੀ ਅਕਾਲ, ਮੇਰਾ ਨਾਮ ਕਲਾਰਾ ਹੈ।", "ਕੱਲ੍ਹ।"],
    ur: ["السلام علیکم، میرا نام کلارا ہے۔", "کل۔"],
    ar: ["صباح الخير، اسمي كلارا.", "غدا."],
  };

  it.each(Object.keys(samples))("%s sounds like speech, and two texts sound different", async (code) => {
    const [long, short] = samples[code]!;
    const language = local.engine.languages().find((one) => one.code === code)!;
    const rate = local.engine.sampleRateHz(code);
    const voice = language.voices[0]!.id;
    const [first, second] = [await say(long, code, voice), await say(short, code, voice)];
    const secondsPerLetter = first.length / rate / (long.match(/\p{L}/gu) ?? []).length;
    expect(secondsPerLetter).toBeGreaterThan(0.03);
    expect(secondsPerLetter).toBeLessThan(0.25);
    expect(melDistance(first, second, rate)).toBeGreaterThan(5);
    // Speech has more energy in its lower bands, and changes from moment to moment.
    const rows = logMel(first, rate);
    const mean = (from: number, to: number) =>
      rows.reduce((sum, row) => sum + row.slice(from, to).reduce((a, b) => a + b, 0) / (to - from), 0) / rows.length;
    expect(mean(0, 20)).toBeGreaterThan(mean(30, 40));
    const level = rows.map((row) => Math.max(...row));
    expect(Math.max(...level) - Math.min(...level)).toBeGreaterThan(20);
  });
});
