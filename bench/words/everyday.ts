import { createLlamaChat } from "../../src/adapters/engines/llama/llama-chat.ts";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { silentLog } from "../../src/platform/log.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import type { ChatMessage } from "../../src/ports/chat-engine.ts";
import { everydayQuestions } from "./everyday-questions.ts";

/** Sixty everyday questions to the embedded chat engine: with the opening that it has, and with the instructions it had before. An answer
 *  is good when it has in it what a good answer has, says nothing of its instructions and ends by itself.
 *  Usage: npm run bench -- words/everyday [--show] */
const former =
  "You are a friendly, helpful assistant. Answer in one to three short, plain sentences, the way people speak. " +
  "If you do not know, say so.";
const shows = process.argv.includes("--show");
const variants: Record<string, readonly ChatMessage[]> = {
  before: [{ role: "system", content: former }],
  now: [],
};

const models = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());
const engine = createLlamaChat({ models, log: silentLog, threads: 2 });
for (const [name, opening] of Object.entries(variants)) {
  const score = { chosen: { good: 0, of: 0 }, held: { good: 0, of: 0 }, leaks: 0, endless: 0, words: 0 };
  for (const [index, [question, good]] of everydayQuestions.entries()) {
    const { text, isWhole } = await ask([...opening, { role: "user", content: question }]);
    const leaks = leak(text);
    const isGood = good.test(text.toLowerCase()) && !leaks && isWhole;
    const part = index % 3 === 2 ? score.held : score.chosen;
    part.of += 1;
    if (isGood) part.good += 1;
    if (leaks) score.leaks += 1;
    if (!isWhole) score.endless += 1;
    score.words += text.split(/\s+/).length;
    if (shows) console.log(`${isGood ? " " : "x"} ${question} -> ${text.replaceAll("\n", " / ").slice(0, 160)}`);
  }
  const share = ({ good, of }: { good: number; of: number }) => `${good} of ${of}`;
  console.log(
    `${name}: good ${share(score.chosen)} chosen on, ${share(score.held)} held out; ${score.leaks} recite instructions, ` +
      `${score.endless} do not end, ${Math.round(score.words / everydayQuestions.length)} words on average`,
  );
}
await engine.host.close();

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
