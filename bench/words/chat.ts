// Chat: our engine (a supervised child that batches conversations) against plain node-llama-cpp on the same file, in one run.
//   npx tsx bench/words/chat.ts
import { join } from "node:path";
import { getLlama, LlamaChatSession, LlamaLogLevel } from "node-llama-cpp";
import { createLlamaChat } from "../../src/adapters/engines/llama/llama-chat.ts";
import { CHAT_MODEL, CHAT_MODEL_FILE } from "../../src/adapters/engines/llama/model-file.ts";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { silentLog } from "../../src/platform/log.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";

interface Run {
  tokens: number;
  firstMs: number;
  totalMs: number;
}

const tokens = 48;
const system = "You are a helpful assistant who writes long stories.";
const topics = ["a dog", "the sea", "a small village", "two brothers"];
const ask = (topic: string) => `Write a long story about ${topic}.`;
const threads = Number(process.env.SVC_ENGINE_THREADS ?? 0);

const models = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());
const ours = await measureOurs();
const plain = await measurePlain();

const rate = ({ tokens: count, firstMs, totalMs }: Run) => (1000 * (count - 1)) / (totalMs - firstMs);
const show = (name: string, a: number, b: number, unit: string, higherIsBetter: boolean) => {
  const ratio = higherIsBetter ? a / b : b / a;
  console.log(
    `${name.padEnd(34)} ${a.toFixed(1).padStart(8)} ${b.toFixed(1).padStart(8)} ${unit.padEnd(9)} ${ratio.toFixed(2)}x`,
  );
};
console.log("                                       ours    plain           ours against plain");
show("first word, cold", ours.alone.firstMs, plain.alone.firstMs, "ms", false);
show("first word, conversation goes on", ours.again.firstMs, plain.again.firstMs, "ms", false);
show("one conversation", rate(ours.alone), rate(plain.alone), "tokens/s", true);
show("four at once, all together", ours.fourRate, plain.fourRate, "tokens/s", true);
console.log(`four at once against one, ours: ${(ours.fourRate / rate(ours.alone)).toFixed(2)}x`);
console.log(`cached tokens of the second turn: ${ours.cached} of ${ours.input}`);

async function measureOurs() {
  const engine = createLlamaChat({ models, log: silentLog, threads });
  let reply = "";
  let usage = { inputTokens: 0, cachedTokens: 0 as number | null };
  const run = async (
    messages: { role: "system" | "user" | "assistant"; content: string }[],
    key: string,
  ): Promise<Run> => {
    const startedMs = performance.now();
    let firstMs = 0;
    let count = 0;
    reply = "";
    const request = { messages, temperature: 0, maxTokens: tokens, key, flow: key };
    for await (const event of engine.answer(request, new AbortController().signal)) {
      firstMs ||= performance.now() - startedMs;
      if (event.type === "delta") reply += event.text;
      else {
        count = event.usage.outputTokens;
        usage = event.usage;
      }
    }
    return { tokens: count, firstMs, totalMs: performance.now() - startedMs };
  };
  const opening = (topic: string) => [
    { role: "system" as const, content: system },
    { role: "user" as const, content: ask(topic) },
  ];
  await run([{ role: "user", content: "Hi" }], "warm");
  const alone = await run(opening(topics[0]!), "alone");
  const goesOn = [
    ...opening(topics[0]!),
    { role: "assistant" as const, content: reply },
    { role: "user" as const, content: "Go on." },
  ];
  const again = await run(goesOn, "alone");
  const { cachedTokens: cached, inputTokens: input } = usage;
  const startedMs = performance.now();
  const four = await Promise.all(topics.map((topic) => run(opening(topic), topic)));
  const fourRate = (1000 * four.reduce((sum, one) => sum + one.tokens, 0)) / (performance.now() - startedMs);
  await engine.host.close();
  return { alone, again, fourRate, cached, input };
}

async function measurePlain() {
  const llama = await getLlama({ gpu: false, build: "never", logLevel: LlamaLogLevel.error });
  const modelPath = join(models.folder(CHAT_MODEL), CHAT_MODEL_FILE);
  const model = await llama.loadModel({ modelPath, useMmap: false });
  const context = await model.createContext({ contextSize: 2048, ...(threads ? { threads } : {}) });
  const sequence = context.getSequence();
  const open = () => new LlamaChatSession({ contextSequence: sequence, systemPrompt: system });
  const run = async (session: LlamaChatSession, text: string): Promise<Run> => {
    const startedMs = performance.now();
    let firstMs = 0;
    let count = 0;
    await session.prompt(text, {
      maxTokens: tokens,
      temperature: 0,
      onToken(some) {
        firstMs ||= performance.now() - startedMs;
        count += some.length;
      },
    });
    return { tokens: count, firstMs, totalMs: performance.now() - startedMs };
  };
  const warm = open();
  await run(warm, "Hi");
  warm.dispose();
  const session = open();
  const alone = await run(session, ask(topics[0]!));
  const again = await run(session, "Go on.");
  session.dispose();
  const startedMs = performance.now();
  let total = 0;
  for (const topic of topics) {
    // One sequence serves one conversation after the other, as a plain program would.
    const next = open();
    total += (await run(next, ask(topic))).tokens;
    next.dispose();
  }
  const fourRate = (1000 * total) / (performance.now() - startedMs);
  await llama.dispose();
  return { alone, again, fourRate };
}
