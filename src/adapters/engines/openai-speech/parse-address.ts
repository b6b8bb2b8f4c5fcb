/** An OpenAI-compatible server: `openai:http://host/v1#model`. */
export interface RemoteAddress {
  readonly baseUrl: string;
  readonly model: string;
}

/** Undefined for anything that is not such an address. */
export function parseRemoteAddress(text: string): RemoteAddress | undefined {
  const match = /^openai:(https?:\/\/[^#\s]+?)\/?(?:#(\S+))?$/u.exec(text.trim());
  if (match === null || !URL.canParse(match[1]!)) return undefined;
  return { baseUrl: match[1]!, model: match[2] ?? "tts-1" };
}
