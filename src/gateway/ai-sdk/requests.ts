import { objectIn, objectsIn, optional, refusal, sharedOf, textIn } from "../dialects/dialect.ts";
import { audioFormat, audioType, sourceOf, urlOf } from "../dialects/source.ts";
import type { Format, Message, Part, Source, TextPart, Tool, ToolChoice, TurnRequest } from "../dialects/turn.ts";
import { isObject, type Json } from "../json.ts";
import { cacheIn, callSignature, marksIn, writeCache, writeCallSignature, writeMarks } from "./metadata.ts";
import { readOutput, writeOutput } from "./tool-output.ts";

export function readCallOptions(body: Json): TurnRequest {
  const format = objectIn(body.responseFormat);
  const choice = objectIn(body.toolChoice);
  return {
    model: body.model,
    stream: body.stream,
    messages: (body.prompt as Json[]).flatMap(readMessage),
    tools: objectsIn(body.tools).map(readTool),
    toolChoice: choice.type === "tool" ? { name: choice.toolName } : (choice.type as ToolChoice | undefined),
    maxTokens: body.maxOutputTokens,
    temperature: body.temperature,
    topP: body.topP,
    topK: body.topK,
    seed: body.seed,
    stop: body.stopSequences,
    presencePenalty: body.presencePenalty,
    frequencyPenalty: body.frequencyPenalty,
    format: format.type === "json" ? readFormat(format) : undefined,
    shared: sharedOf(body),
  };
}

function readFormat({ schema, name, description }: Json): Format {
  return isObject(schema) ? { schema, name, description } : {};
}

function readTool(tool: Json, index: number): Tool {
  if (tool.type !== "function") throw refusal(`tools.${index}`, 'only tools of type "function" are known here');
  const { name, description, inputSchema: parameters, strict, providerOptions } = tool;
  return { name, description, parameters, strict, ...cacheIn(providerOptions) };
}

function readMessage({ role, content, providerOptions }: Json, index: number): Message[] {
  const field = `prompt.${index}.content`;
  const given = typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content);
  const parts = given.flatMap((part) => readPart(part, field));
  const { cache } = cacheIn(providerOptions);
  const last = parts.at(-1);
  // Said of a whole message, it holds for the last of its parts.
  if (cache && last) parts[parts.length - 1] = { ...last, cache } as Part;
  if (role === "tool") return parts.map((part) => ({ role, parts: [part] }));
  return [{ role: String(role), parts }];
}

function readPart(part: Json, field: string): Part[] {
  const cache = cacheIn(part.providerOptions);
  switch (part.type) {
    case "text":
      return [{ type: "text", text: textIn(part.text), ...cache }];
    case "reasoning":
      return [{ type: "reasoning", text: textIn(part.text), ...marksIn(part.providerOptions) }];
    case "file":
      return [{ ...readFile(part, field), ...cache }];
    case "tool-call": {
      const { toolCallId, toolName, input, providerOptions } = part;
      const given = typeof input === "string" ? input : JSON.stringify(input ?? {});
      const signature = optional({ signature: callSignature(providerOptions) });
      return [
        { type: "call", id: textIn(toolCallId), name: textIn(toolName), arguments: given, ...signature, ...cache },
      ];
    }
    case "tool-result":
      return [{ ...readResult(part), ...cache }];
    // Whether a call may be made is between the caller and its user.
    case "tool-approval-response":
      return [];
  }
  throw refusal(field, `parts of type "${String(part.type)}" are not known here`);
}

export function readFile({ mediaType, data, filename }: Json, field: string): Part {
  if (typeof mediaType !== "string" || typeof data !== "string") {
    throw refusal(field, "a file needs data and a mediaType");
  }
  const isUrl = /^(https?|data):/.test(data);
  const source: Source = isUrl ? sourceOf(data) : { type: "base64", mediaType, data };
  if (mediaType.startsWith("image/")) return { type: "image", source };
  if (mediaType.startsWith("audio/") && source.type === "base64") {
    return { type: "audio", format: audioFormat(mediaType), data: source.data };
  }
  return { type: "file", source, ...optional({ name: filename }) };
}

function readResult({ toolCallId, toolName, output }: Json): Part {
  const { parts, isError } = readOutput(output);
  const name = optional({ name: toolName, isError: isError || undefined });
  return { type: "result", callId: textIn(toolCallId), ...name, parts };
}

export function writeCallOptions(request: TurnRequest): Json {
  const { tools, toolChoice: choice, format, stop } = request;
  const json = format && optional({ type: "json", ...format, strict: undefined });
  return optional({
    model: request.model,
    stream: request.stream,
    prompt: writePrompt(request.messages),
    ...(tools.length > 0 ? { tools: tools.map(writeTool) } : {}),
    ...(tools.length > 0 && choice ? { toolChoice: writeChoice(choice) } : {}),
    maxOutputTokens: request.maxTokens,
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    seed: request.seed,
    stopSequences: typeof stop === "string" ? [stop] : stop,
    presencePenalty: request.presencePenalty,
    frequencyPenalty: request.frequencyPenalty,
    responseFormat: json,
    ...request.shared,
  });
}

function writeChoice(choice: ToolChoice): Json {
  return isObject(choice) ? { type: "tool", toolName: choice.name } : { type: choice };
}

function writeTool({ name, description, parameters, strict, cache }: Tool): Json {
  const inputSchema = parameters ?? { type: "object", properties: {} };
  return optional({ type: "function", name, description, inputSchema, strict, providerOptions: writeCache(cache) });
}

/** A result names the tool, which only the call does elsewhere. */
function writePrompt(messages: readonly Message[]): Json[] {
  const names = new Map<string, string>();
  return messages.flatMap(({ role: given, parts }) => {
    for (const part of parts) if (part.type === "call") names.set(part.id, part.name);
    const role = given === "developer" ? "system" : given;
    // Each has one text.
    if (role === "system") return parts.flatMap((part) => (part.type === "text" ? [writeSystem(part)] : []));
    return { role, content: parts.map((part) => writePart(part, names)) };
  });
}

function writeSystem({ text, cache }: TextPart): Json {
  return optional({ role: "system", content: text, providerOptions: writeCache(cache) });
}

function writePart(part: Part, names: ReadonlyMap<string, string>): Json {
  const providerOptions = "cache" in part ? writeCache(part.cache) : undefined;
  switch (part.type) {
    case "text":
      return optional({ type: "text", text: part.text, providerOptions });
    case "refusal":
      return { type: "text", text: part.text };
    case "reasoning":
      return optional({ type: "reasoning", text: part.text, providerOptions: writeMarks(part) });
    case "call": {
      const options = { ...providerOptions, ...writeCallSignature(part.signature) };
      const called = { type: "tool-call", toolCallId: part.id, toolName: part.name, input: inputOf(part.arguments) };
      return optional({ ...called, providerOptions: Object.keys(options).length > 0 ? options : undefined });
    }
    case "result": {
      const toolName = part.name ?? names.get(part.callId) ?? "";
      const output = writeOutput(part);
      return optional({ type: "tool-result", toolCallId: part.callId, toolName, output, providerOptions });
    }
    case "audio":
      return optional({ type: "file", mediaType: audioType(part.format), data: part.data, providerOptions });
    case "image":
      return optional({ ...fileOf(part.source, "image/*"), providerOptions });
    case "file":
      return optional({ ...fileOf(part.source, "application/pdf"), filename: part.name, providerOptions });
  }
}

function fileOf(source: Source, usualType: string): Json {
  const mediaType = source.type === "base64" ? source.mediaType : usualType;
  return { type: "file", mediaType, data: source.type === "id" ? source.id : urlOf(source) };
}

function inputOf(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return text;
  }
}
