import { isObject, type Json } from "../../json.ts";
import { maybeText, objectIn, objectsIn, optional, refusal, textIn } from "../dialect.ts";
import { audioFormat, audioType, sourceOf } from "../source.ts";
import type { CallPart, Part, ReasoningPart, Source } from "../turn.ts";
import { packProof, unpackProof } from "./proof.ts";

/** A block of a message, or undefined for what is only Anthropic's. */
export function readBlock(block: Json): Part | undefined {
  const cache = isObject(block.cache_control) ? { cache: block.cache_control } : {};
  switch (block.type) {
    case "text":
      return { type: "text", text: textIn(block.text), ...cache };
    case "thinking":
      return { type: "reasoning", text: textIn(block.thinking), ...unpackProof(textIn(block.signature), "signature") };
    case "redacted_thinking":
      return { type: "reasoning", text: "", ...unpackProof(textIn(block.data), "encrypted") };
    case "tool_use":
      return { ...readCall(block), ...cache };
    case "tool_result":
      return { ...readResult(block), ...cache };
    case "image": {
      const source = readSource(objectIn(block.source));
      return source && { type: "image", source, ...cache };
    }
    case "document": {
      const source = readSource(objectIn(block.source));
      const name = maybeText(block.title);
      return source && { type: "file", source, ...(name === undefined ? {} : { name }), ...cache };
    }
    case "audio":
      return { ...readAudio(block), ...cache };
  }
  return undefined;
}

function readCall({ id, name, input, extra_content: extra }: Json): CallPart {
  const signature = maybeText(objectIn(objectIn(extra).google).thought_signature);
  const given = JSON.stringify(input ?? {});
  return {
    type: "call",
    id: textIn(id),
    name: textIn(name),
    arguments: given,
    ...(signature === undefined ? {} : { signature }),
  };
}

function readResult({ tool_use_id: id, content, is_error: isError }: Json): Part {
  const parts: Part[] =
    typeof content === "string" ? [{ type: "text", text: content }] : readBlocks(content, "content");
  return { type: "result", callId: textIn(id), ...(isError === true ? { isError } : {}), parts };
}

/** Those of a request: what cannot be said in another dialect is refused. */
export function readBlocks(content: unknown, field: string): Part[] {
  return objectsIn(content).map((block) => {
    const part = readBlock(block);
    if (part) return part;
    const isKnown = block.type === "image" || block.type === "document";
    throw refusal(
      field,
      isKnown
        ? `"${block.type}" needs a source of type base64, url, text or file`
        : `this model does not read blocks of type "${String(block.type)}"`,
    );
  });
}

function readSource({ type, media_type, data, url, file_id: id }: Json): Source | undefined {
  if (type === "url" && typeof url === "string") return sourceOf(url);
  if (type === "file" && typeof id === "string") return { type: "id", id };
  if (typeof data !== "string") return undefined;
  if (type === "base64") return { type: "base64", mediaType: textIn(media_type), data };
  return type === "text"
    ? { type: "base64", mediaType: "text/plain", data: Buffer.from(data).toString("base64") }
    : undefined;
}

function readAudio({ source, transcript }: Json): Part {
  const { media_type, data } = objectIn(source);
  return {
    type: "audio",
    format: audioFormat(textIn(media_type)),
    data: textIn(data),
    ...(typeof transcript === "string" ? { transcript } : {}),
  };
}

export function writeBlock(part: Part): Json {
  const cache = "cache" in part && part.cache ? { cache_control: part.cache } : {};
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, ...cache };
    case "refusal":
      return { type: "text", text: part.text };
    case "reasoning":
      return writeThought(part);
    case "call":
      return { ...writeCall(part), ...cache };
    case "result":
      return { ...writeResult(part), ...cache };
    case "image":
      return { type: "image", source: writeSource(part.source), ...cache };
    case "file":
      return { type: "document", source: writeDocument(part.source), ...optional({ title: part.name }), ...cache };
    case "audio": {
      const source = { type: "base64", media_type: audioType(part.format), data: part.data };
      return { type: "audio", source, ...optional({ transcript: part.transcript }), ...cache };
    }
  }
}

function writeThought(part: ReasoningPart): Json {
  const proof = packProof(part);
  if (part.text === "" && part.encrypted !== undefined) return { type: "redacted_thinking", data: proof };
  return { type: "thinking", thinking: part.text, signature: proof };
}

/** A call whose arguments are no JSON is the model's mistake; its clients expect an object. */
function writeCall({ id, name, arguments: given, signature }: CallPart): Json {
  let input: unknown;
  try {
    input = JSON.parse(given === "" ? "{}" : given);
  } catch {
    input = { arguments: given };
  }
  return { type: "tool_use", id, name, input, ...extraOf(signature) };
}

export function extraOf(signature: string | undefined): Json {
  return signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
}

function writeResult({ callId, isError, parts }: Extract<Part, { type: "result" }>): Json {
  const [first] = parts;
  const isPlain = parts.length === 1 && first?.type === "text" && !first.cache;
  const content = isPlain ? first.text : parts.map(writeBlock);
  return { type: "tool_result", tool_use_id: callId, content, ...(isError ? { is_error: true } : {}) };
}

function writeSource(source: Source): Json {
  if (source.type === "url") return { type: "url", url: source.url };
  if (source.type === "id") return { type: "file", file_id: source.id };
  return { type: "base64", media_type: source.mediaType, data: source.data };
}

/** Plain texts are no PDFs. */
function writeDocument(source: Source): Json {
  if (source.type !== "base64" || !source.mediaType.startsWith("text/")) return writeSource(source);
  return { type: "text", media_type: "text/plain", data: Buffer.from(source.data, "base64").toString("utf8") };
}
