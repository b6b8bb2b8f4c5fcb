import { maybeText } from "./dialect.ts";
import type { Source } from "./turn.ts";

const dataUrl = /^data:([^;,]*)(?:;[^;,]*)*;base64,/;

/** An address that may hold the bytes themselves. */
export function sourceOf(url: string): Source {
  const match = dataUrl.exec(url);
  return match ? { type: "base64", mediaType: match[1]!, data: url.slice(match[0].length) } : { type: "url", url };
}

export function urlOf(source: Source): string | undefined {
  if (source.type === "url") return source.url;
  return source.type === "base64" ? `data:${source.mediaType};base64,${source.data}` : undefined;
}

/** Bytes without a type are taken for what most files are. */
export function fileSource(data: string, mediaType: unknown): Source {
  if (/^(https?|data):/.test(data)) return sourceOf(data);
  return { type: "base64", mediaType: maybeText(mediaType) ?? "application/pdf", data };
}

/** As the dialects name formats of sound: `wav` for `audio/wav`. */
export function audioFormat(mediaType: string): string {
  const name = mediaType.replace(/^audio\/(x-)?/, "").replace(/;.*/, "");
  return name === "mpeg" ? "mp3" : name;
}

export function audioType(format: string): string {
  return format === "mp3" ? "audio/mpeg" : `audio/${format}`;
}
