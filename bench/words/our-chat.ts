import { setTimeout as sleep } from "node:timers/promises";
import { createLlamaChat } from "../../src/adapters/engines/llama/llama-chat.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { ChatMessage } from "../../src/ports/chat-engine.ts";
import type { ModelStore } from "../../src/ports/model-store.ts";
import { ask, longText, type Run, readRun, system, tokens, topics } from "./chat-runs.ts";

export async function openOurChat(models: ModelStore, threads: number) {
  const engine = createLlamaChat({ models, log: silentLog, threads });
  let usage = { inputTokens: 0, cachedTokens: 0 as number | null };
  let rounds = 0;
  const run = (messages: ChatMessage[], key: string, onWord?: (count: number) => void, maxTokens = tokens) =>
    readRun(async (push) => {
      const request = { messages, temperature: 0, maxTokens, key, flow: key };
      let count = 0;
      let outputTokens = 0;
      for await (const event of engine.answer(request, new AbortController().signal)) {
        if (event.type === "delta") push(event.text);
        else {
          usage = event.usage;
          outputTokens = event.usage.outputTokens;
        }
        onWord?.(++count);
      }
      return { outputTokens };
    });
  /** Of a key that nothing is known of yet. */
  const newKey = () => `key-${rounds++}`;
  const opening = (text: string): ChatMessage[] => [
    { role: "system", content: system },
    { role: "user", content: text },
  ];
  await run([{ role: "user", content: "Hi" }], newKey(), undefined, 4);
  // The engine looks every second how many cores are idle, and its start was not.
  await sleep(2500);

  return {
    async alone() {
      const key = newKey();
      const first = await run(opening(ask(topics[0]!)), key);
      const turns: ChatMessage[] = [
        ...opening(ask(topics[0]!)),
        { role: "assistant", content: first.text },
        { role: "user", content: "Go on." },
      ];
      const again = await run(turns, key, undefined, 8);
      return { first, again, usage };
    },
    atOnce: () => Promise.all(topics.map((topic) => run(opening(ask(topic)), newKey()))),
    async besideLong() {
      let long: Promise<Run> | undefined;
      const beside = await run(opening(ask(topics[1]!)), newKey(), (count) => {
        if (count === 8) long = run(opening(longText), newKey(), undefined, 2);
      });
      await long;
      return beside;
    },
    close: () => engine.host.close(),
  };
}
