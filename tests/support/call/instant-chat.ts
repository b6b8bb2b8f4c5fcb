import { sendJson, startFakeUpstream } from "../fake-upstream.ts";

export interface InstantChat {
  /** For SVC_CHAT_ENGINE. */
  readonly engine: string;
  /** What the model was told before the question, each time that it was asked. */
  prompts(): string[];
  close(): Promise<void>;
}

/** A chat model that answers everything at once, and with the same: what the platform takes by itself shows beside it. */
export async function startInstantChat(reply: readonly string[]): Promise<InstantChat> {
  const upstream = await startFakeUpstream();
  upstream.on("/v1/chat/completions", ({ json }, response) => {
    if (!json?.stream) return sendJson(response, {});
    response.setHeader("content-type", "text/event-stream");
    const piece = (delta: object, end: string | null = null) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`);
    for (const content of reply) piece({ role: "assistant", content });
    piece({}, "stop");
    response.end("data: [DONE]\n\n");
  });
  return {
    engine: `openai:${upstream.url}#instant`,
    prompts: () => upstream.received.flatMap(({ json }) => json?.messages?.[0]?.content ?? []),
    close: () => upstream.close(),
  };
}
