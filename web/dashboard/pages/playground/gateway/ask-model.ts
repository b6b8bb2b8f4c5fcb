import { jsonRequest } from "../../../api/call-service.ts";
import { readEvents } from "../kit/read-events.ts";
import type { Service } from "../kit/use-service.ts";

export interface Answer {
  text: string;
  images: string[];
  /** Calls of tools that the model wants made, as JSON. */
  calls: string[];
  inputTokens?: number;
  outputTokens?: number;
  firstMs?: number;
}

interface Chunk {
  choices?: { delta?: { content?: string | null; tool_calls?: ToolCall[]; images?: Picture[] } }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  error?: { message: string };
}
/** What chat models that draw send beside their words. */
interface Picture {
  image_url?: { url: string };
}
interface ToolCall {
  index: number;
  function?: { name?: string; arguments?: string };
}

/** Asks with a stream; `onGrow` gets the answer so far. */
export async function askModel(
  gateway: Service,
  body: object,
  signal: AbortSignal,
  onGrow: (answer: Answer) => void,
): Promise<void> {
  const startedAt = performance.now();
  const wanted = { ...body, stream: true, stream_options: { include_usage: true } };
  const response = await gateway.send("/chat/completions", { ...jsonRequest(wanted), signal });
  const answer: Answer = { text: "", images: [], calls: [] };
  const calls: { name: string; given: string }[] = [];
  for await (const chunk of readEvents<Chunk>(response)) {
    if (chunk.error) throw new Error(chunk.error.message);
    const delta = chunk.choices?.[0]?.delta;
    if (delta?.content || delta?.tool_calls) answer.firstMs ??= performance.now() - startedAt;
    answer.text += delta?.content ?? "";
    const drawn = (delta?.images ?? []).map(({ image_url }) => image_url?.url ?? "");
    answer.images = [...answer.images, ...drawn.filter((url) => url.startsWith("data:image/"))];
    for (const { index, function: called } of delta?.tool_calls ?? []) {
      calls[index] ??= { name: "", given: "" };
      const call = calls[index];
      call.name += called?.name ?? "";
      call.given += called?.arguments ?? "";
    }
    if (chunk.usage) {
      answer.inputTokens = chunk.usage.prompt_tokens;
      answer.outputTokens = chunk.usage.completion_tokens;
    }
    onGrow({ ...answer, calls: calls.map(({ name, given }) => `${name}(${given})`) });
  }
}

export async function makeImage(gateway: Service, body: object, signal: AbortSignal): Promise<Answer> {
  const response = await gateway.send("/images/generations", { ...jsonRequest(body), signal });
  const { data } = (await response.json()) as { data: { b64_json?: string; url?: string }[] };
  // Only pictures that came with the reply: the page loads nothing from other hosts.
  const images = data.flatMap(({ b64_json }) => (b64_json ? [`data:image/png;base64,${b64_json}`] : []));
  const text = images.length > 0 ? "" : data.map(({ url }) => url).join("\n");
  return { text, images, calls: [] };
}
