/** An OpenAI-compatible recogniser: `openai:http://host/v1#model?languages=de,fr`. */
export interface RemoteRecogniser {
  readonly baseUrl: string;
  readonly model: string;
  /** Empty: it is asked for any language. */
  readonly languages: readonly string[];
}

/** Undefined for anything that is not such an address. */
export function parseRecogniser(text: string): RemoteRecogniser | undefined {
  const match = /^openai:(https?:\/\/[^#?\s]+?)\/?(?:#([^?\s]+))?(?:\?languages=([A-Za-z,_-]+))?$/.exec(text.trim());
  if (!match || !URL.canParse(match[1]!)) return undefined;
  const languages = (match[3] ?? "").toLowerCase().replaceAll("_", "-").split(",").filter(Boolean);
  return { baseUrl: match[1]!, model: match[2] ?? "whisper-1", languages };
}
