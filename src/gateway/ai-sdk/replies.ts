import { tokens } from "../charging/read-usage.ts";
import { maybeText, objectIn, objectsIn, optional, textIn } from "../dialects/dialect.ts";
import { audioType } from "../dialects/source.ts";
import type { CallPart, Part, Reply, ReplyEnd, ReplyHead } from "../dialects/turn.ts";
import type { Json } from "../json.ts";
import { callSignature, marksIn, writeCallSignature, writeMarks } from "./metadata.ts";
import { readFile } from "./requests.ts";

export function readGenerated(body: Json): Reply | undefined {
  if (!Array.isArray(body.content)) return undefined;
  const parts = objectsIn(body.content).flatMap(readContent);
  return { head: headOf(objectIn(body.response)), parts, end: endOf(body) };
}

export function readContent(content: Json): Part[] {
  const { type, providerMetadata } = content;
  if (type === "text") return [{ type, text: textIn(content.text) }];
  if (type === "reasoning") return [{ type, text: textIn(content.text), ...marksIn(providerMetadata) }];
  if (type === "tool-call") return [readCall(content)];
  if (type === "file") return [readMade(content)];
  const isPicture = type === "source" && content.sourceType === "url" && content.title === pictureTitle;
  return isPicture ? [{ type: "image", source: { type: "url", url: textIn(content.url) } }] : [];
}

/** The AI SDK has no files that are elsewhere. */
const pictureTitle = "image";

export function readCall({ toolCallId: id, toolName, input, providerMetadata }: Json): CallPart {
  const signature = optional({ signature: callSignature(providerMetadata) });
  return { type: "call", id: textIn(id), name: textIn(toolName), arguments: textIn(input), ...signature };
}

function readMade(file: Json): Part {
  const { transcript, id } = objectIn(objectIn(file.providerMetadata).openai);
  const part = readFile(file, "content");
  return part.type === "audio" ? { ...part, ...optional({ id, transcript }) } : part;
}

export function writeGenerated({ head, parts, end }: Reply): Json {
  return { content: parts.map(writeContent), ...writeFinish(end), warnings: [], response: writeHead(head) };
}

/** A part as a whole, also in a stream. */
export function writeContent(part: Part, index: number): Json {
  switch (part.type) {
    case "reasoning":
      return optional({ type: "reasoning", text: part.text, providerMetadata: writeMarks(part) });
    case "call": {
      const input = part.arguments === "" ? "{}" : part.arguments;
      const called = { type: "tool-call", toolCallId: part.id, toolName: part.name, input };
      return optional({ ...called, providerMetadata: writeCallSignature(part.signature) });
    }
    case "audio": {
      const told = optional({ id: part.id, transcript: part.transcript });
      const providerMetadata = Object.keys(told).length > 0 ? { openai: told } : undefined;
      return optional({ type: "file", mediaType: audioType(part.format), data: part.data, providerMetadata });
    }
    case "image":
    case "file": {
      const { source } = part;
      if (source.type === "base64") return { type: "file", mediaType: source.mediaType, data: source.data };
      const url = source.type === "url" ? source.url : source.id;
      return { type: "source", sourceType: "url", id: `source-${index}`, url, title: pictureTitle };
    }
    default:
      return { type: "text", text: "text" in part ? part.text : "" };
  }
}

export function writeHead({ id, created, model }: ReplyHead): Json {
  return { id, timestamp: new Date(created * 1000).toISOString(), modelId: model };
}

export function headOf({ id, timestamp, modelId }: Json): ReplyHead {
  const created = Math.floor(Date.parse(textIn(timestamp)) / 1000);
  return { id: textIn(id), created: created || Math.floor(Date.now() / 1000), model: textIn(modelId) };
}

export function writeFinish({ reason, stopSequence, cost, ...counts }: ReplyEnd): Json {
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = counts;
  const metadata = {
    ...(cost === undefined ? {} : { gateway: { cost: String(cost) } }),
    ...(stopSequence === undefined ? {} : { anthropic: { stopSequence } }),
  };
  const noCache = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  const text = Math.max(0, outputTokens - reasoningTokens);
  return {
    finishReason: { unified: reason.replace("_", "-"), raw: reason },
    usage: {
      inputTokens: { total: inputTokens, noCache, cacheRead: cachedTokens, cacheWrite: cacheWriteTokens },
      outputTokens: { total: outputTokens, text, reasoning: reasoningTokens },
    },
    ...(Object.keys(metadata).length > 0 ? { providerMetadata: metadata } : {}),
  };
}

export function endOf({ finishReason, usage, providerMetadata }: Json): ReplyEnd {
  const { inputTokens, outputTokens } = objectIn(usage);
  const input = objectIn(inputTokens);
  const output = objectIn(outputTokens);
  const { gateway, anthropic } = objectIn(providerMetadata);
  const { unified } = typeof finishReason === "string" ? { unified: finishReason } : objectIn(finishReason);
  return {
    reason: reasons[String(unified)] ?? "stop",
    ...optional({ stopSequence: maybeText(objectIn(anthropic).stopSequence), cost: objectIn(gateway).cost }),
    inputTokens: tokens(input.total ?? inputTokens),
    outputTokens: tokens(output.total ?? outputTokens),
    cachedTokens: tokens(input.cacheRead),
    cacheWriteTokens: tokens(input.cacheWrite),
    reasoningTokens: tokens(output.reasoning),
  };
}

const reasons: Readonly<Record<string, ReplyEnd["reason"]>> = {
  length: "length",
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
};
