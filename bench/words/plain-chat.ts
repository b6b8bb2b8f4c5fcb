import { availableParallelism } from "node:os";
import { join } from "node:path";
import {
  getLlama,
  LlamaChatSession,
  type LlamaContextSequence,
  LlamaLogLevel,
  resolveChatWrapper,
} from "node-llama-cpp";
import { CHAT_MODEL, CHAT_MODEL_FILE } from "../../src/adapters/engines/llama/model-file.ts";
import type { ModelStore } from "../../src/ports/model-store.ts";
import { ask, longText, type Run, readRun, system, tokens, topics } from "./chat-runs.ts";

/** What a program gets that uses node-llama-cpp as its documentation shows, with as many threads as there are cores. */
export async function openPlainChat(models: ModelStore, threads: number) {
  const llama = await getLlama({ gpu: false, build: "never", logLevel: LlamaLogLevel.error });
  const modelPath = join(models.folder(CHAT_MODEL), CHAT_MODEL_FILE);
  const model = await llama.loadModel({ modelPath, useMmap: false });
  // Its own choice is four threads at least, which on two cores wait for each other most of the time.
  const some = { threads: threads || availableParallelism() };
  const context = await model.createContext({ contextSize: 2048, ...some });
  const sequence = context.getSequence();
  const shared = await model.createContext({ contextSize: 2048, sequences: topics.length, ...some });
  const sequences = topics.map(() => shared.getSequence());
  // Found out once: each session would take a second and a half to do it anew.
  const chatWrapper = resolveChatWrapper(model);
  const run = (session: LlamaChatSession, text: string, onWord?: (count: number) => void, maxTokens = tokens) =>
    readRun(async (push) => {
      let count = 0;
      await session.prompt(text, {
        maxTokens,
        temperature: 0,
        onToken(next) {
          for (const token of next) push(model.detokenize([token]));
          count += next.length;
          onWord?.(count);
        },
      });
      return { outputTokens: count };
    });
  /** Each conversation begins cold, as a new one does. */
  const open = async (own: LlamaContextSequence) => {
    await own.clearHistory();
    return new LlamaChatSession({ contextSequence: own, systemPrompt: system, chatWrapper });
  };
  const once = async (own: LlamaContextSequence, text: string, onWord?: (count: number) => void, most?: number) => {
    const session = await open(own);
    const result = await run(session, text, onWord, most);
    session.dispose({ disposeSequence: false });
    return result;
  };
  await once(sequence, "Hi", undefined, 4);
  await once(sequences[0]!, "Hi", undefined, 4);

  return {
    async alone() {
      const session = await open(sequence);
      const first = await run(session, ask(topics[0]!));
      const again = await run(session, "Go on.", undefined, 8);
      session.dispose({ disposeSequence: false });
      return { first, again };
    },
    async oneAfterTheOther() {
      const runs: Run[] = [];
      for (const topic of topics) runs.push(await once(sequence, ask(topic)));
      return runs;
    },
    sideBySide: () => Promise.all(topics.map((topic, index) => once(sequences[index]!, ask(topic)))),
    async besideLong() {
      let long: Promise<Run> | undefined;
      const beside = await once(sequences[0]!, ask(topics[1]!), (count) => {
        if (count === 8) long = once(sequences[1]!, longText, undefined, 2);
      });
      await long;
      return beside;
    },
    close: () => llama.dispose(),
  };
}
