import { flag, integer, listOf, oneOf, optionalText, setting, text } from "./setting.ts";

/** What `parlance worker --engines` can name. */
export const engineGroups = [
  "speech",
  "transcription",
  "cloning",
  "translation",
  "chat",
  "embeddings",
  "extraction",
] as const;
export type EngineGroup = (typeof engineGroups)[number];

/** Which engines run where, and what they are made of. */
export const engineSettings = {
  own: setting(
    "SVC_ENGINES",
    "all",
    (value) => (value === "none" ? [] : value === "all" ? [...engineGroups] : listOf(...engineGroups)(value)),
    "Engines that this process runs itself: all, none, or some of speech,transcription,cloning,translation,chat,embeddings,extraction. Others are used on workers (SVC_BUS_URL).",
  ),
  speech: setting(
    "SVC_SPEECH_ENGINE",
    "local",
    text,
    "local, sherpa:PATH or sherpa:NAME for voices of your own (Piper, Kokoro, Matcha, Kitten), or openai:http://host/v1#model for an OpenAI-compatible speech server. Several, separated by commas, add up; the first that has a voice speaks.",
  ),
  cloning: setting(
    "SVC_CLONING_ENGINE",
    "local",
    text,
    "local, sherpa:PATH or sherpa:NAME for a model of your own that clones (ZipVoice, Pocket), or openai:http://host/v1#model for a speech server that clones from ref_audio, as vLLM-Omni's does.",
  ),
  transcription: setting(
    "SVC_TRANSCRIPTION_ENGINE",
    "local",
    text,
    "local, sherpa:PATH or sherpa:NAME for a recogniser of your own, or openai:http://host/v1#model, each optionally with the languages it serves: sherpa:PATH?languages=de,fr. Several, separated by commas, add up; the first that serves a language hears it.",
  ),
  hearingSize: setting(
    "SVC_HEARING_SIZE",
    "small",
    oneOf("small", "base", "off"),
    "The recogniser for languages other than English and Spanish: small (600 MB of memory, and 300 MB for a smaller one that guesses while somebody speaks live), base (300 MB, a third of the work, two to three times the errors), or off.",
  ),
  turns: setting(
    "SVC_TURN_ENGINE",
    "rules",
    text,
    "Who tells in live calls that somebody has finished: rules (by the words and the silence), or smart-turn:PATH or smart-turn:NAME (by the sound too).",
  ),
  diarisation: setting(
    "SVC_DIARISATION_ENGINE",
    "local",
    text,
    "Who tells the speakers of a dub apart: local (voice prints, line by line), or sherpa:PATH or sherpa:NAME for a folder with a segmentation and a speaker embedding model.",
  ),
  translation: setting(
    "SVC_TRANSLATION_ENGINE",
    "local",
    text,
    "local, or openai:http://host/v1#model (a chat model).",
  ),
  chat: setting(
    "SVC_CHAT_ENGINE",
    "local",
    text,
    "local, gguf:PATH or gguf:NAME for a model of your own, or openai:http://host/v1#model for any OpenAI-compatible server.",
  ),
  chatContext: setting(
    "SVC_CHAT_CONTEXT",
    "0",
    integer(0, 1_048_576),
    "Tokens of prompt and answer together for a gguf: model. 0 takes 8192, or what the model was trained for where that is less.",
  ),
  embeddings: setting(
    "SVC_EMBEDDINGS_ENGINE",
    "local",
    text,
    "local, gguf:PATH or onnx:PATH (or a NAME) for a model of your own, or openai:http://host/v1#model.",
  ),
  reranking: setting(
    "SVC_RERANKING_ENGINE",
    "local",
    text,
    "local (words and embeddings weighed together), or gguf:PATH or onnx:PATH (or a NAME) for a reranker of your own.",
  ),
  apiKey: setting("SVC_ENGINE_API_KEY", "", optionalText, "Bearer key sent to remote engines.", true),
  threads: setting("SVC_ENGINE_THREADS", "0", integer(0, 256), "Threads per engine process. 0 chooses by the machine."),
  gpu: setting(
    "SVC_ENGINE_GPU",
    "auto",
    oneOf("auto", "off"),
    "Whether gguf: models use the machine's graphics card, where its runtime is installed (docs/better-models.md).",
  ),
  gpuLayers: setting(
    "SVC_ENGINE_GPU_LAYERS",
    "0",
    integer(0, 1000),
    "How many layers of a gguf: model go to the graphics card. 0 takes as many as fit.",
  ),
  warmsUp: setting(
    "SVC_WARM_UP",
    "1",
    flag,
    "Whether what was used last (at first the default voice) is loaded after the start, where memory allows. 0 loads each at its first request.",
  ),
  ffmpeg: setting(
    "SVC_FFMPEG",
    "",
    optionalText,
    "Path of an ffmpeg to decode uploads with, instead of the built-in decoders.",
  ),
};
