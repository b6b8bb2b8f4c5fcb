import { objectIn, objectsIn, optional, textIn } from "../dialects/dialect.ts";
import { sourceOf, urlOf } from "../dialects/source.ts";
import type { Part, ResultPart, Source } from "../dialects/turn.ts";
import type { Json } from "../json.ts";
import { cacheIn, writeCache } from "./metadata.ts";

/** What a tool gave, which is a text or a list of parts in all other dialects. */
export function readOutput(output: unknown): { parts: Part[]; isError: boolean } {
  const { type, value, reason } = objectIn(output);
  const isError = type === "error-text" || type === "error-json" || type === "execution-denied";
  if (type === "content") return { parts: objectsIn(value).map(readContent), isError };
  const given = value ?? reason ?? "";
  return { parts: [{ type: "text", text: typeof given === "string" ? given : JSON.stringify(given) }], isError };
}

function readContent(part: Json): Part {
  const type = String(part.type);
  const cache = cacheIn(part.providerOptions);
  if (type === "text") return { type: "text", text: textIn(part.text), ...cache };
  const isImage = type.startsWith("image") || textIn(part.mediaType).startsWith("image/");
  const source = readSource(part);
  return isImage
    ? { type: "image", source, ...cache }
    : { type: "file", source, ...cache, ...(typeof part.filename === "string" ? { name: part.filename } : {}) };
}

function readSource({ data, url, fileId, mediaType }: Json): Source {
  if (typeof url === "string") return sourceOf(url);
  if (typeof data === "string") return { type: "base64", mediaType: textIn(mediaType), data };
  return { type: "id", id: typeof fileId === "string" ? fileId : JSON.stringify(fileId ?? "") };
}

export function writeOutput({ parts, isError }: ResultPart): Json {
  const [first] = parts;
  const isPlain = parts.length <= 1 && first?.type !== "image" && first?.type !== "file";
  if (!isPlain || (first && "cache" in first)) return { type: "content", value: parts.flatMap(writeContent) };
  return { type: isError ? "error-text" : "text", value: first?.type === "text" ? first.text : "" };
}

function writeContent(part: Part): Json[] {
  const options = optional({ providerOptions: "cache" in part ? writeCache(part.cache) : undefined });
  if (part.type === "text") return [{ type: "text", text: part.text, ...options }];
  if (part.type !== "image" && part.type !== "file") return [];
  const { source } = part;
  const named = part.type === "file" && part.name !== undefined ? { filename: part.name } : {};
  if (source.type === "base64") {
    return [{ type: `${part.type}-data`, data: source.data, mediaType: source.mediaType, ...named, ...options }];
  }
  if (source.type === "url") return [{ type: `${part.type}-url`, url: urlOf(source), ...options }];
  return [{ type: part.type === "image" ? "image-file-id" : "file-id", fileId: source.id, ...options }];
}
