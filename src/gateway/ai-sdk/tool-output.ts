import { objectIn, objectsIn, textIn } from "../dialects/dialect.ts";
import { sourceOf, urlOf } from "../dialects/source.ts";
import type { Part, ResultPart, Source } from "../dialects/turn.ts";
import type { Json } from "../json.ts";

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
  if (type === "text") return { type: "text", text: textIn(part.text) };
  const isImage = type.startsWith("image") || textIn(part.mediaType).startsWith("image/");
  const source = readSource(part);
  return isImage
    ? { type: "image", source }
    : { type: "file", source, ...(typeof part.filename === "string" ? { name: part.filename } : {}) };
}

function readSource({ data, url, fileId, mediaType }: Json): Source {
  if (typeof url === "string") return sourceOf(url);
  if (typeof data === "string") return { type: "base64", mediaType: textIn(mediaType), data };
  return { type: "id", id: typeof fileId === "string" ? fileId : JSON.stringify(fileId ?? "") };
}

export function writeOutput({ parts, isError }: ResultPart): Json {
  const isPlain = parts.every(({ type }) => type === "text") && parts.length <= 1;
  if (!isPlain) return { type: "content", value: parts.flatMap(writeContent) };
  const [first] = parts;
  return { type: isError ? "error-text" : "text", value: first?.type === "text" ? first.text : "" };
}

function writeContent(part: Part): Json[] {
  if (part.type === "text") return [{ type: "text", text: part.text }];
  if (part.type !== "image" && part.type !== "file") return [];
  const { source } = part;
  const named = part.type === "file" && part.name !== undefined ? { filename: part.name } : {};
  if (source.type === "base64") {
    return [{ type: `${part.type}-data`, data: source.data, mediaType: source.mediaType, ...named }];
  }
  if (source.type === "url") return [{ type: `${part.type}-url`, url: urlOf(source) }];
  return [{ type: part.type === "image" ? "image-file-id" : "file-id", fileId: source.id }];
}
