/** The model's folder in the catalog, and what requantising makes in it. */
export const CHAT_MODEL = "tinyllama-1b";
export const CHAT_MODEL_FILE = "tinyllama-1.1b-chat-q8_0.gguf";
