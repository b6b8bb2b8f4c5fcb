import type { Json } from "../../json.ts";
import { maybeText, objectIn, objectsIn, optional, refusal, textIn } from "../dialect.ts";
import { fileSource, sourceOf, urlOf } from "../source.ts";
import type { AudioPart, CallPart, FilePart, ImagePart, Part, ReasoningPart } from "../turn.ts";

/** Begins the names that thoughts get here when their provider gave them none. */
const madeUp = "rs_made_";

export function readCallItem({ call_id, id, name, arguments: given, extra_content: extra }: Json): CallPart {
  const signature = maybeText(objectIn(objectIn(extra).google).thought_signature);
  return {
    type: "call",
    id: maybeText(call_id) ?? textIn(id),
    name: textIn(name),
    arguments: textIn(given),
    ...(signature === undefined ? {} : { signature }),
  };
}

export function writeCallItem({ id, name, arguments: given, signature }: CallPart): Json {
  const extra = signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
  return { type: "function_call", call_id: id, name, arguments: given, ...extra };
}

/** An item may have its thoughts, a summary of them, or both. */
export function readReasoningItem(item: Json): ReasoningPart[] {
  const summary = textsIn(item.summary);
  const text = textsIn(item.content);
  const marks = marksOf(item);
  if (summary === "") return [{ type: "reasoning", text, ...marks }];
  const short = { type: "reasoning", text: summary, isSummary: true } as const;
  return text === "" ? [{ ...short, ...marks }] : [short, { type: "reasoning", text, ...marks }];
}

export function marksOf({ id, original_id, encrypted_content, signature, format }: Json) {
  const name = maybeText(original_id) ?? maybeText(id);
  return optional({
    id: name?.startsWith(madeUp) ? undefined : name,
    encrypted: maybeText(encrypted_content),
    signature: maybeText(signature),
    format: maybeText(format),
  }) as Pick<ReasoningPart, "id" | "encrypted" | "signature" | "format">;
}

function textsIn(list: unknown): string {
  return objectsIn(list)
    .map(({ text }) => textIn(text))
    .join(summaryBreak);
}
export const summaryBreak = "\n\n";

/** With the name that it was given when it began. */
export function writeReasoningItem(part: ReasoningPart, known?: string): Json {
  const { text, isSummary, id, encrypted, signature, format } = part;
  const name = known ?? id;
  return {
    type: "reasoning",
    ...optional({ id: name, original_id: id === name ? undefined : id }),
    summary: isSummary && text !== "" ? [{ type: "summary_text", text }] : [],
    ...(isSummary || text === "" ? {} : { content: [{ type: "reasoning_text", text }] }),
    ...optional({ encrypted_content: encrypted, signature, format }),
  };
}

export const nameThought = (reply: string, index: number) => `${madeUp}${reply}_${index}`;

export function readImageItem({ result, output_format: format }: Json): ImagePart {
  const data = textIn(result);
  if (data.startsWith("http")) return { type: "image", source: { type: "url", url: data } };
  return { type: "image", source: { type: "base64", mediaType: `image/${maybeText(format) ?? "png"}`, data } };
}

export function writeImageItem({ source }: ImagePart): Json {
  if (source.type !== "base64") return { type: "image_generation_call", result: urlOf(source) ?? null };
  return {
    type: "image_generation_call",
    result: source.data,
    output_format: source.mediaType.replace(/^image\//, ""),
  };
}

export function readContent(content: unknown, field: string): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return objectsIn(content).map((part): Part => {
    const cache = optional({ cache: part.cache_control });
    if (part.type === "refusal") return { type: "refusal", text: textIn(part.refusal) };
    if (part.type === "input_image") return { ...readImage(part, field), ...cache };
    if (part.type === "input_file") return { ...readFile(part, field), ...cache };
    if (part.type === "input_audio") return { ...readAudio(objectIn(part.input_audio)), ...cache };
    if (part.type === "output_audio") return { ...readAudio(part), ...cache };
    if (typeof part.text === "string") return { type: "text", text: part.text, ...cache };
    throw refusal(field, `parts of type "${String(part.type)}" are not known here`);
  });
}

function readImage({ image_url: url, file_id: id, detail }: Json, field: string): ImagePart {
  const given = detail == null ? {} : { detail };
  if (typeof id === "string") return { type: "image", source: { type: "id", id }, ...given };
  if (typeof url !== "string") throw refusal(field, "an image needs image_url or file_id");
  return { type: "image", source: sourceOf(url), ...given };
}

function readFile({ file_id: id, file_url: url, file_data: data, filename }: Json, field: string): FilePart {
  const name = optional({ name: maybeText(filename) });
  if (typeof id === "string") return { type: "file", source: { type: "id", id }, ...name };
  const given = data ?? url;
  if (typeof given !== "string") throw refusal(field, "a file needs file_data, file_url or file_id");
  return { type: "file", source: fileSource(given, undefined), ...name };
}

export function readAudio({ data, format, transcript, id }: Json): AudioPart {
  const more = optional({ transcript: maybeText(transcript), id: maybeText(id) });
  return { type: "audio", data: textIn(data), format: maybeText(format) ?? "wav", ...more };
}

export function writeAudio({ data, format, transcript, id }: AudioPart): Json {
  return { type: "output_audio", data, format, ...optional({ transcript, id }) };
}

/** What somebody says, or what a model said before. */
export function writeContent(parts: readonly Part[], isOwn: boolean): Json[] {
  return parts.flatMap((part): Json[] => {
    const cache = optional({ cache_control: "cache" in part ? part.cache : undefined });
    switch (part.type) {
      case "text":
        return [{ type: isOwn ? "output_text" : "input_text", text: part.text, ...cache }];
      case "refusal":
        return [{ type: "refusal", refusal: part.text }];
      case "image":
        return [{ ...writeImage(part), ...cache }];
      case "file":
        return [{ ...writeFile(part), ...cache }];
      case "audio":
        if (isOwn) return [writeAudio(part)];
        return [{ type: "input_audio", input_audio: { data: part.data, format: part.format }, ...cache }];
      default:
        return [];
    }
  });
}

function writeImage({ source, detail }: ImagePart): Json {
  const place = source.type === "id" ? { file_id: source.id } : { image_url: urlOf(source) };
  return { type: "input_image", ...place, ...optional({ detail }) };
}

function writeFile({ source, name }: FilePart): Json {
  if (source.type === "url") return { type: "input_file", file_url: source.url, ...optional({ filename: name }) };
  const place = source.type === "id" ? { file_id: source.id } : { file_data: urlOf(source) };
  return { type: "input_file", ...place, ...optional({ filename: name }) };
}
