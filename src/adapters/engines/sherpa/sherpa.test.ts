import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { parseOwnAddress } from "../own-weights/parse-address.ts";
import { isInvented } from "./is-invented.ts";
import type { Use } from "./kinds.ts";
import { readOnnxMetadata, writeOnnxMetadata } from "./onnx-metadata.ts";
import { openFolder } from "./open-folder.ts";
import { preparePiper } from "./piper-for-sherpa.ts";
import { ownCode, platformCodes } from "./platform-codes.ts";
import { recogniseFolder } from "./recognise-folder.ts";
import { timeTokens } from "./time-tokens.ts";
import { hearingConfig, speechConfig } from "./write-config.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parlance-sherpa-"));
  return () => rmSync(folder, { recursive: true, force: true });
});

/** An ONNX file with nothing but what it says of itself. */
const graph = (metadata: Record<string, string> = {}) =>
  Buffer.concat([Buffer.from([0x08, 0x08, 0x3a, 0x02, 0x0a, 0x00]), writeOnnxMetadata(metadata)]);

function lay(files: Record<string, Buffer | string>, name = "model"): string {
  const target = join(folder, name);
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), bytes);
  }
  return target;
}

function open(path: string, uses: Use[] = ["transcription"], more = "") {
  const address = parseOwnAddress(`sherpa:${path}${more}`, ["sherpa"])!;
  return openFolder("SVC_TRANSCRIPTION_ENGINE", address, uses, folder);
}

describe("a folder that tells who speaks when", () => {
  const openSpeakers = (path: string) => open(path, ["diarisation"]);
  const segmentation = graph({ model_type: "pyannote-segmentation-3.0" });

  it("has a segmentation, in full precision, and a speaker embedding, and no languages", () => {
    const path = lay({ "model.int8.onnx": segmentation, "model.onnx": segmentation, "3dspeaker_x.onnx": graph() });
    const { files, languages } = openSpeakers(path);
    expect(files).toEqual({ segmentation: join(path, "model.onnx"), embedding: join(path, "3dspeaker_x.onnx") });
    expect(languages).toEqual([]);
  });

  it.each<[string, Record<string, Buffer | string>, RegExp]>([
    ["without an embedding", { "model.onnx": segmentation }, /Found: model\.onnx\. Expected model\.onnx of pyannote's/],
    ["of something else", { "model.onnx": graph(), "wespeaker.onnx": graph() }, /Expected model\.onnx of pyannote's/],
    [
      "whose embedding is cut",
      { "model.onnx": segmentation, "wespeaker.onnx": Buffer.from([0x3a, 0x7f, 0x00]) },
      /wespeaker\.onnx is cut short or is not ONNX\. Fetch it again\.$/,
    ],
  ])("%s is refused in one sentence", (_what, files, sentence) => {
    expect(() => openSpeakers(lay(files))).toThrow(sentence);
  });
});

describe("a folder of weights", () => {
  const tokens = { "tokens.txt": "a 1\n" };
  const espeak = { "espeak-ng-data/phontab": "x" };
  it.each<[string, Record<string, Buffer | string>, string, string]>([
    [
      "transducer (Parakeet, Zipformer)",
      { "encoder.int8.onnx": graph(), "decoder.int8.onnx": graph(), "joiner.int8.onnx": graph(), ...tokens },
      "transducer",
      "m",
    ],
    [
      "Whisper",
      {
        "base-encoder.int8.onnx": graph({ model_type: "whisper-base" }),
        "base-decoder.int8.onnx": graph(),
        "base-tokens.txt": "x",
      },
      "whisper",
      "m",
    ],
    [
      "Canary",
      { "encoder.int8.onnx": graph({ model_type: "EncDecMultiTaskModel" }), "decoder.int8.onnx": graph(), ...tokens },
      "canary",
      "m",
    ],
    ["SenseVoice", { "model.int8.onnx": graph({ model_type: "sense_voice_ctc" }), ...tokens }, "senseVoice", "m"],
    ["NeMo CTC", { "model.int8.onnx": graph({ model_type: "EncDecCTCModelBPE" }), ...tokens }, "nemoCtc", "m"],
    ["Omnilingual", { "model.int8.onnx": graph(), ...tokens }, "omnilingual", "sherpa-onnx-omnilingual-asr"],
    ["Zipformer CTC", { "model.onnx": graph({ model_type: "zipformer2_ctc" }), ...tokens }, "zipformerCtc", "m"],
    ["Moonshine", { "encoder_model.onnx": graph(), "decoder_model_merged.onnx": graph(), ...tokens }, "moonshine", "m"],
    [
      "Moonshine (four graphs)",
      {
        "preprocess.onnx": graph(),
        "encode.int8.onnx": graph(),
        "uncached_decode.int8.onnx": graph(),
        "cached_decode.int8.onnx": graph(),
        ...tokens,
      },
      "moonshine",
      "m",
    ],
    [
      "Piper voice",
      { "de_DE-x.onnx": graph({ model_type: "vits", comment: "piper" }), ...tokens, ...espeak },
      "vits",
      "m",
    ],
    [
      "Kokoro voices",
      { "model.onnx": graph({ model_type: "kokoro" }), "voices.bin": "x", ...tokens, ...espeak },
      "kokoro",
      "m",
    ],
    [
      "Kitten voices",
      { "model.fp16.onnx": graph({ model_type: "kitten-tts" }), "voices.bin": "x", ...tokens, ...espeak },
      "kitten",
      "m",
    ],
    ["Matcha voice", { "model-steps-3.onnx": graph(), "vocos-22khz-univ.onnx": graph(), ...tokens }, "matcha", "m"],
    [
      "ZipVoice (clones voices)",
      {
        "encoder.int8.onnx": graph(),
        "decoder.int8.onnx": graph(),
        "vocos_24khz.onnx": graph(),
        "lexicon.txt": "x",
        ...tokens,
      },
      "zipvoice",
      "m",
    ],
    ["smart-turn (end of turn)", { "smart-turn-v3.2-cpu.onnx": graph() }, "", "m"],
  ])("is recognised as %s", (name, files, config, called) => {
    const { kind } = recogniseFolder(lay(files, called));
    expect([kind.name, kind.config ?? ""]).toEqual([name, config]);
  });

  it("takes the graph of 8 bits where there are two", () => {
    const { files } = recogniseFolder(
      lay({
        "model.onnx": graph({ model_type: "wenet_ctc" }),
        "model.int8.onnx": graph({ model_type: "wenet_ctc" }),
        ...tokens,
      }),
    );
    expect(files.model).toMatch(/model\.int8\.onnx$/);
  });

  it("that is of no known kind is refused with what was found and what was expected", () => {
    const path = lay({ "weights.bin": "x", "README.md": "x" });
    expect(() => open(path)).toThrow(
      /^SVC_TRANSCRIPTION_ENGINE is "sherpa:.*", but the files in .* are of no kind that is known here\. Found: README\.md, weights\.bin\. Expected tokens\.txt with encoder/,
    );
    expect(() => open(lay({ "x.onnx": graph({ model_type: "vits" }), ...tokens }, "voice"))).toThrow(/of no kind/);
  });

  it("with a graph that is cut or is something else is refused", () => {
    const whole = graph({ model_type: "sense_voice_ctc" });
    expect(() => open(lay({ "model.onnx": whole.subarray(0, -4), ...tokens }))).toThrow(
      /model\.onnx is cut short or is not ONNX/,
    );
    const files = { "encoder.onnx": graph(), "decoder.onnx": Buffer.from("<html>"), "joiner.onnx": graph(), ...tokens };
    expect(() => open(lay(files, "other"))).toThrow(/decoder\.onnx is cut short or is not ONNX/);
  });

  it("knows its languages by its metadata, its name, or the setting, and is refused without any", () => {
    const whisper = {
      "encoder.onnx": graph({ model_type: "whisper-x", all_language_codes: "en,de,no" }),
      "decoder.onnx": graph(),
      ...tokens,
    };
    expect(open(lay(whisper)).languages).toEqual(["en", "de", "no"]);
    const nemo = { "model.onnx": graph({ model_type: "EncDecCTC" }), ...tokens };
    expect(open(lay(nemo, "nemo-giga-am-v3")).languages).toEqual(["ru"]);
    expect(open(lay(nemo, "x"), ["transcription"], "?languages=de,pt_BR").languages).toEqual(["de", "pt-br"]);
    expect(() => open(lay(nemo, "y"))).toThrow(/does not say which languages it knows\. Add \?languages=de,fr$/);
  });

  it("that must be prepared says how", () => {
    const piper = { "x.onnx": graph(), "x.onnx.json": "{}" };
    expect(() => open(lay(piper), ["speech"])).toThrow(/must be prepared first: \.\/parlance models add NAME --from/);
  });
});

describe("a voice of Piper's own project", () => {
  it("gets its settings into its graph and a list of phonemes", async () => {
    const settings = {
      audio: { sample_rate: 22050 },
      espeak: { voice: "de" },
      num_speakers: 1,
      phoneme_id_map: { _: [0], a: [14] },
    };
    const path = lay({ "x.onnx": graph(), "x.onnx.json": JSON.stringify(settings) });
    await preparePiper({ folder: path });
    expect(Object.fromEntries(readOnnxMetadata(join(path, "voice.onnx"))!)).toMatchObject({
      model_type: "vits",
      voice: "de",
      sample_rate: "22050",
    });
    expect(open(path, ["speech"]).languages).toEqual(["de"]);
  });
});

describe("the runtime's configuration", () => {
  it("is told the language where a model wants it, and NeMo's kind of transducer", () => {
    const whisper = recogniseFolder(
      lay({ "encoder.onnx": graph({ model_type: "whisper" }), "decoder.onnx": graph(), "tokens.txt": "" }),
    );
    expect(hearingConfig(whisper, 2, "de")).toMatchObject({
      modelConfig: { whisper: { language: "de", task: "transcribe" }, numThreads: 2 },
    });
    const nemo = recogniseFolder(
      lay(
        {
          "encoder.onnx": graph({ model_type: "EncDecRNNTBPEModel" }),
          "decoder.onnx": graph(),
          "joiner.onnx": graph(),
          "tokens.txt": "",
        },
        "p",
      ),
    );
    expect(hearingConfig(nemo, 1, undefined)).toMatchObject({ modelConfig: { modelType: "nemo_transducer" } });
  });

  it("takes the folder's own phonemizer data before the product's", () => {
    const files = { "v.onnx": graph({ model_type: "vits" }), "tokens.txt": "", "espeak-ng-data/phontab": "x" };
    const { "espeak-ng-data/phontab": _data, ...bare } = files;
    expect(speechConfig(recogniseFolder(lay(bare, "a")), 1, "/data")).toMatchObject({
      model: { vits: { dataDir: "/data" } },
    });
  });
});

describe("words and their times", () => {
  it("are made of tokens", () => {
    const heard = { tokens: [" He", "llo", " wor", "ld", "."], timestamps: [0.1, 0.3, 0.6, 0.8, 0.9], durations: [] };
    expect(timeTokens(heard, "Hello world.", 2000)).toEqual([
      { word: "Hello", startMs: 100, endMs: 600 },
      { word: "world.", startMs: 600, endMs: 1000 },
    ]);
    expect(timeTokens({ tokens: ["a"], timestamps: [], durations: [] }, "a", 100)).toBeUndefined();
    expect(timeTokens(heard, "Hello there world.", 2000)).toBeUndefined();
  });
});

describe("languages", () => {
  it("of models are the platform's, and back", () => {
    expect(platformCodes(["en", "de", "no", "pt"])).toEqual(["en-us", "en-gb", "de", "nb", "pt-br", "pt-pt"]);
    expect(ownCode("en-gb", ["en", "de"])).toBe("en");
    expect(ownCode("nb", ["no"])).toBe("no");
    expect(ownCode("fr", ["en"])).toBeUndefined();
  });
});

it("what nobody said is dropped", () => {
  expect(isInvented("Thank you very much.", 900)).toBe(false);
  expect(isInvented("go go go go ".repeat(20), 20_000)).toBe(true);
  expect(isInvented("A whole paragraph of words that nobody could say in so short a time, and more.", 300)).toBe(true);
});
