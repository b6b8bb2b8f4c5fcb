import { LISTEN_GRAPHS, STEP_GRAPH } from "../whisper/files.ts";

/** What a folder of weights is for. */
export type Use = "transcription" | "speech" | "cloning" | "turns" | "diarisation" | "embeddings";

/** One kind of folder: the files it has, and how the runtime is told of them. */
export interface Kind {
  readonly name: string;
  readonly use: Use;
  /** Its files by their role; a role's pattern is looked for among all paths of the folder. */
  readonly files: Readonly<Record<string, RegExp>>;
  /** The files in words, where they are not those of most kinds. */
  readonly expects?: string;
  /** What the metadata's model_type (or, without one, the folder's name) says; absent where the files tell enough. */
  readonly sign?: RegExp;
  /** The key of the runtime's configuration, and its names for the roles where they differ. */
  readonly config?: string;
  readonly roles?: Readonly<Record<string, string>>;
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Further settings beside the key. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** Who runs it: sherpa-onnx, or this product's own Whisper. */
  readonly runner?: "whisper" | "smart-turn" | "onnx";
  /** Steps that make what is missing, in the order in which they run (main/derive-steps.ts). */
  readonly derived?: {
    readonly step: string;
    readonly inputs: readonly string[];
    readonly outputs: readonly string[];
    readonly perProcessor?: true;
  };
  readonly languages?: readonly string[];
}

const tokens = /(^|[/-])tokens\.txt$/;
const encoder = /(^|[/.-])encoder[^/]*\.onnx$/;
const decoder = /(^|[/.-])decoder[^/]*\.onnx$/;
const model = /\.onnx$/;
const espeak = /(^|\/)espeak-ng-data\/phontab$/;

/** Every kind that is known, by its files; the first that fits is taken. */
export const kinds: readonly Kind[] = [
  {
    name: "smart-turn (end of turn)",
    use: "turns",
    files: { model: /(^|\/)smart-turn[^/]*\.onnx$/ },
    runner: "smart-turn",
  },
  {
    name: "pyannote segmentation with a speaker embedding (who speaks when)",
    use: "diarisation",
    files: {
      // In 8 bits it is wrong half as often again (41.8 % against 28.5 %, measured by others).
      segmentation: /(^|\/)(model|(?!.*int8)[^/]*segmentation[^/]*)\.onnx$/,
      embedding: /(^|\/)(wespeaker|3dspeaker|nemo_en|[^/]*embedding)[^/]*\.onnx$/,
    },
    expects: "model.onnx of pyannote's segmentation beside wespeaker*.onnx, 3dspeaker*.onnx or nemo_en*.onnx",
    sign: /pyannote|reverb/,
  },
  {
    name: "Pocket TTS (clones voices)",
    use: "cloning",
    files: {
      lmFlow: /lm_flow[^/]*\.onnx$/,
      lmMain: /lm_main[^/]*\.onnx$/,
      encoder,
      decoder,
      textConditioner: /text_conditioner[^/]*\.onnx$/,
      vocabJson: /(^|\/)vocab\.json$/,
      tokenScoresJson: /(^|\/)token_scores\.json$/,
    },
    config: "pocket",
    languages: ["en-us"],
  },
  {
    name: "ZipVoice (clones voices)",
    use: "cloning",
    files: {
      encoder: /(^|[/.-])(text_)?encoder[^/]*\.onnx$/,
      decoder: /(^|[/.-])(fm_)?decoder[^/]*\.onnx$/,
      vocoder: /(^|\/)vocos[^/]*\.onnx$/,
      tokens,
      lexicon: /(^|\/)lexicon\.txt$/,
    },
    config: "zipvoice",
    languages: ["en-us", "zh"],
  },
  {
    name: "transducer (Parakeet, Zipformer)",
    use: "transcription",
    files: { encoder, decoder, joiner: /(^|[/.-])joiner[^/]*\.onnx$/, tokens },
    config: "transducer",
  },
  {
    name: "Whisper (Transformers export)",
    use: "transcription",
    files: {
      encoder: /^onnx\/encoder_model_quantized\.onnx$/,
      decoder: /^onnx\/decoder_model_merged_quantized\.onnx$/,
      rules: /^generation_config\.json$/,
      vocabulary: /^vocab\.json$/,
    },
    runner: "whisper",
    derived: {
      step: "whisper-graphs",
      inputs: [
        "onnx/encoder_model_quantized.onnx",
        "onnx/decoder_model_merged_quantized.onnx",
        "generation_config.json",
      ],
      outputs: [...LISTEN_GRAPHS, STEP_GRAPH],
      perProcessor: true,
    },
  },
  {
    name: "Moonshine (four graphs)",
    use: "transcription",
    files: {
      preprocessor: /(^|\/)preprocess[^/]*\.onnx$/,
      encoder: /(^|\/)encode[^/]*\.onnx$/,
      uncachedDecoder: /(^|\/)uncached_decode[^/]*\.onnx$/,
      cachedDecoder: /(^|\/)cached_decode[^/]*\.onnx$/,
      tokens,
    },
    config: "moonshine",
  },
  {
    name: "Moonshine",
    use: "transcription",
    files: {
      encoder: /(^|\/)encoder_model[^/]*\.(onnx|ort)$/,
      mergedDecoder: /(^|\/)decoder_model_merged[^/]*\.(onnx|ort)$/,
      tokens,
    },
    config: "moonshine",
  },
  {
    name: "Moonshine without its tokens",
    use: "transcription",
    files: {
      encoder: /(^|\/)encoder_model\.onnx$/,
      mergedDecoder: /(^|\/)decoder_model_merged\.onnx$/,
    },
    derived: {
      step: "moonshine-tokens",
      inputs: ["encoder_model.onnx", "decoder_model_merged.onnx"],
      outputs: ["tokens.txt"],
    },
  },
  {
    name: "Whisper",
    use: "transcription",
    files: { encoder, decoder, tokens },
    sign: /^whisper|whisper/,
    config: "whisper",
    fixed: { task: "transcribe", tailPaddings: -1 },
  },
  {
    name: "Canary",
    use: "transcription",
    files: { encoder, decoder, tokens },
    sign: /EncDecMultiTask|canary/i,
    config: "canary",
    fixed: { usePnc: 1 },
    languages: ["en", "es", "de", "fr"],
  },
  {
    name: "FireRedASR",
    use: "transcription",
    files: { encoder, decoder, tokens },
    sign: /fire-?red/i,
    config: "fireRedAsr",
    languages: ["zh", "en"],
  },
  {
    name: "Cohere Transcribe",
    use: "transcription",
    files: { encoder, decoder, tokens },
    sign: /cohere/i,
    config: "cohereTranscribe",
    fixed: { usePunct: 1, useItn: 1 },
  },
  {
    name: "Kokoro voices",
    use: "speech",
    files: { model, voices: /(^|\/)voices\.bin$/, tokens, dataDir: espeak },
    sign: /kokoro/i,
    config: "kokoro",
  },
  {
    name: "Kitten voices",
    use: "speech",
    files: { model, voices: /(^|\/)voices\.bin$/, tokens, dataDir: espeak },
    sign: /kitten/i,
    config: "kitten",
    languages: ["en-us"],
  },
  {
    name: "Matcha voice",
    use: "speech",
    files: { acousticModel: /(^|\/)model-steps[^/]*\.onnx$/, vocoder: /(^|\/)(vocos|hifigan)[^/]*\.onnx$/, tokens },
    config: "matcha",
  },
  {
    name: "Piper voice",
    use: "speech",
    files: { model: /(^|\/)voice\.onnx$/, tokens, settings: /\.onnx\.json$/ },
    sign: /vits/,
    config: "vits",
  },
  {
    name: "Piper voice (with its settings)",
    use: "speech",
    files: { model, settings: /\.onnx\.json$/ },
    derived: { step: "piper-for-sherpa", inputs: [], outputs: ["voice.onnx", "tokens.txt"] },
  },
  {
    name: "SenseVoice",
    use: "transcription",
    files: { model, tokens },
    sign: /sense_?-?voice/i,
    config: "senseVoice",
    fixed: { useInverseTextNormalization: 1 },
    languages: ["zh", "en", "ja", "ko", "yue"],
  },
  {
    name: "Paraformer",
    use: "transcription",
    files: { model, tokens },
    sign: /paraformer/i,
    config: "paraformer",
    languages: ["zh", "en"],
  },
  { name: "Omnilingual", use: "transcription", files: { model, tokens }, sign: /omnilingual/i, config: "omnilingual" },
  { name: "Dolphin", use: "transcription", files: { model, tokens }, sign: /dolphin/i, config: "dolphin" },
  {
    name: "MedASR",
    use: "transcription",
    files: { model, tokens },
    sign: /medasr|lasr/i,
    config: "medasr",
    languages: ["en"],
  },
  { name: "Zipformer CTC", use: "transcription", files: { model, tokens }, sign: /zipformer/i, config: "zipformerCtc" },
  { name: "WeNet CTC", use: "transcription", files: { model, tokens }, sign: /wenet/i, config: "wenetCtc" },
  {
    name: "NeMo CTC",
    use: "transcription",
    files: { model, tokens },
    sign: /EncDec|nemo|giga-?am/i,
    config: "nemoCtc",
  },
  { name: "Piper voice", use: "speech", files: { model, tokens }, sign: /vits|piper/i, config: "vits" },
  { name: "embeddings", use: "embeddings", files: { model, tokenizer: /(^|\/)tokenizer\.json$/ }, runner: "onnx" },
];
