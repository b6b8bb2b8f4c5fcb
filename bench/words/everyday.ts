import { readFileSync } from "node:fs";
import { createLlamaChat } from "../../src/adapters/engines/llama/llama-chat.ts";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { silentLog } from "../../src/platform/log.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import type { ChatMessage } from "../../src/ports/chat-engine.ts";
import { callPrompt } from "../../src/voice/realtime/call/conversation.ts";
import { everydayQuestions } from "./everyday-questions.ts";

/** Everyday questions to the embedded chat engine: sixty whose answers it was taught (training/chat), and fifty that were kept out. An
 *  answer is good when it has in it what a good answer has, says nothing of its instructions and ends by itself.
 *  Usage: npm run bench -- words/everyday [--show] */
const shows = process.argv.includes("--show");
const instructions: Record<string, readonly ChatMessage[]> = {
  "without instructions": [],
  "in a call": [
    { role: "system", content: callPrompt({ language: "en", tonePreset: undefined, styleText: undefined }) },
  ],
};
const sets: Record<string, readonly (readonly [question: string, good: RegExp])[]> = {
  taught: everydayQuestions,
  "kept out": readKeptOut(),
};

const models = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());
const engine = createLlamaChat({ models, log: silentLog, threads: 2 });
for (const [manner, opening] of Object.entries(instructions)) {
  for (const [name, questions] of Object.entries(sets)) {
    const score = { good: 0, leaks: 0, endless: 0, words: 0 };
    for (const [question, good] of questions) {
      const { text, isWhole } = await ask([...opening, { role: "user", content: question }]);
      const leaks = leak(text);
      const isGood = good.test(text.toLowerCase()) && !leaks && isWhole;
      if (isGood) score.good += 1;
      if (leaks) score.leaks += 1;
      if (!isWhole) score.endless += 1;
      score.words += text.split(/\s+/).length;
      if (shows) console.log(`${isGood ? " " : "x"} ${question} -> ${text.replaceAll("\n", " / ").slice(0, 160)}`);
    }
    console.log(
      `${name}, ${manner}: good ${score.good} of ${questions.length}; ${score.leaks} recite instructions, ` +
        `${score.endless} do not end, ${Math.round(score.words / questions.length)} words on average`,
    );
  }
}
await engine.host.close();

function readKeptOut(): [question: string, good: RegExp][] {
  const lines = readFileSync(new URL("../../training/chat/questions.tsv", import.meta.url), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => {
    const [question, good] = line.split("\t");
    return [question!, new RegExp(good!)];
  });
}

async function ask(messages: ChatMessage[]): Promise<{ text: string; isWhole: boolean }> {
  let text = "";
  let isWhole = false;
  const request = { messages, temperature: undefined, maxTokens: 120, seed: 7, key: "bench", flow: "bench" };
  for await (const event of engine.answer(request as never, new AbortController().signal)) {
    if (event.type === "delta") text += event.text;
    else isWhole = event.finishReason === "stop";
  }
  return { text, isWhole };
}

/** Words of an instruction in an answer. */
function leak(text: string): boolean {
  return /(system prompt|plain sentences|short,? (plain|friendly)|way people speak|friendly,? (and )?helpful|helpful assistant|do not know, say)/i.test(
    text,
  );
}
