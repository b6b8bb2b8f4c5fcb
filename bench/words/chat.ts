// Chat: our engine (a supervised child that keeps conversations in step) against plain node-llama-cpp on the same file. Both take
// turns, and each figure is the best of the rounds, so that what else the machine does meanwhile falls on both alike. Plain
// answers four conversations one after the other in one session, and side by side in four sequences of one context. For the
// pause, a prompt of some 500 tokens arrives while another conversation is being answered. Takes one to two minutes.
//   npm run bench -- words/chat [rounds, default 2]
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { cpuSeconds } from "../support/cpu.ts";
import type { Run } from "./chat-runs.ts";
import { openOurChat } from "./our-chat.ts";
import { openPlainChat } from "./plain-chat.ts";

const rounds = Number(process.argv[2] ?? 2);
const threads = Number(process.env.SVC_ENGINE_THREADS ?? 0);
const models = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());
const plain = await openPlainChat(models, threads);
const ours = await openOurChat(models, threads);

interface Figure {
  readonly name: string;
  readonly unit: "ms" | "ms/token" | "tokens/s";
  readonly ours: number[];
  readonly plain: number[];
}
const figure = (name: string, unit: Figure["unit"]): Figure => ({ name, unit, ours: [], plain: [] });
const cold = figure("first word, cold", "ms");
const warm = figure("first word, conversation goes on", "ms");
const one = figure("one conversation", "tokens/s");
const oneWhole = figure("one conversation with its prompt", "tokens/s");
const inTurn = figure("four, plain one after the other", "tokens/s");
const sideBySide = figure("four, plain in four sequences", "tokens/s");
const inTurnCpu = figure("four, plain one after the other, CPU", "ms/token");
const sideBySideCpu = figure("four, plain in four sequences, CPU", "ms/token");
const pause = figure("longest pause beside a long prompt", "ms");

let cached = "";
for (let round = 0; round < rounds; round++) {
  const own = await step("alone, ours", ours.alone());
  cached = `${own.usage.cachedTokens} of ${own.usage.inputTokens}`;
  note("ours", own);
  note("plain", await step("alone, plain", plain.alone()));
  const four = await step("four, ours", inTotal(ours.atOnce()));
  const turn = await step("four, plain one after the other", inTotal(plain.oneAfterTheOther()));
  const side = await step("four, plain in four sequences", inTotal(plain.sideBySide()));
  inTurn.ours.push(four.perSecond);
  inTurn.plain.push(turn.perSecond);
  inTurnCpu.ours.push(four.cpuMs);
  inTurnCpu.plain.push(turn.cpuMs);
  sideBySide.ours.push(four.perSecond);
  sideBySide.plain.push(side.perSecond);
  sideBySideCpu.ours.push(four.cpuMs);
  sideBySideCpu.plain.push(side.cpuMs);
  pause.ours.push((await step("beside a long prompt, ours", ours.besideLong())).longestPauseMs);
  pause.plain.push((await step("beside a long prompt, plain", plain.besideLong())).longestPauseMs);
}
await Promise.all([ours.close(), plain.close()]);

console.log(`${" ".repeat(43)}ours    plain           ours against plain`);
for (const { name, unit, ...both } of [
  cold,
  warm,
  one,
  oneWhole,
  inTurn,
  inTurnCpu,
  sideBySide,
  sideBySideCpu,
  pause,
]) {
  const [a, b] = [best(both.ours, unit), best(both.plain, unit)];
  const ratio = unit === "tokens/s" ? a / b : b / a;
  const cells = [name.padEnd(38), a.toFixed(1).padStart(8), b.toFixed(1).padStart(8), unit.padEnd(9)];
  console.log(`${cells.join(" ")} ${ratio.toFixed(2)}x`);
}
const gain = best(inTurn.ours, "tokens/s") / best(oneWhole.ours, "tokens/s");
console.log(`four at once against one alone, ours: ${gain.toFixed(2)}x`);
console.log(`cached tokens of the second turn: ${cached}`);

/** Says what is done, for whoever waits. */
async function step<T>(name: string, work: Promise<T>): Promise<T> {
  const result = await work;
  console.error(`${(performance.now() / 1000).toFixed(0)} s: ${name}`);
  return result;
}

function note(side: "ours" | "plain", { first, again }: { first: Run; again: Run }): void {
  cold[side].push(first.times[0]!);
  warm[side].push(again.times[0]!);
  one[side].push((1000 * (first.count - 1)) / (first.totalMs - first.times[0]!));
  oneWhole[side].push((1000 * first.count) / first.totalMs);
}

/** Tokens a second and what each cost, prompts included. The cost holds on a busy machine, too. */
async function inTotal(runs: Promise<Run[]>): Promise<{ perSecond: number; cpuMs: number }> {
  const [startedMs, cpuBefore] = [performance.now(), cpuSeconds()];
  const count = (await runs).reduce((sum, run) => sum + run.count, 0);
  const perSecond = (1000 * count) / (performance.now() - startedMs);
  return { perSecond, cpuMs: (1000 * (cpuSeconds() - cpuBefore)) / count };
}

function best(values: readonly number[], unit: Figure["unit"]): number {
  return unit === "tokens/s" ? Math.max(...values) : Math.min(...values);
}
