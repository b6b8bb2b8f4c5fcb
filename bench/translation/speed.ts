// Time, CPU and memory of our translator, beside Apertium and beside the plain runner of training/translator (the same graphs and
// beams, one sentence after the other, no process of its own).
//   npm run bench -- translation/speed
import { childMegabytes, cpuSeconds } from "../support/cpu.ts";
import { median, readFlores } from "../words/data.ts";
import { hasApertium } from "./chains.ts";
import { openApertium, openTranslator, translatorFolder } from "./engines.ts";

const short = "The meeting starts at nine tomorrow, please bring the contract and the two invoices we talked about.";
const rounds = 12;
const lines = readFlores("en")!
  .filter((line) => line.length > 80 && line.length < 130)
  .slice(0, 24);
const mean = Math.round(lines.reduce((sum, line) => sum + line.length, 0) / lines.length);
console.log(
  `one sentence of ${short.length} letters, and ${lines.length} FLORES lines of ${mean} on average; English to German`,
);

const translator = openTranslator();
const ask = (text: string) => translator.run({ text, source: "en", target: "de" });
for (let round = 0; round < 3; round++) await ask(short);
console.log(`memory: ${childMegabytes()} MB resident once loaded`);
const one = await measure(rounds, () => ask(short));
console.log(show("ours, the short one alone", one));
const alone = await measure(lines.length, (index) => ask(lines[index]!));
console.log(show("ours, lines one by one", alone));
const started = { cpu: cpuSeconds(), ms: performance.now() };
for (let start = 0; start < lines.length; start += 8) await Promise.all(lines.slice(start, start + 8).map(ask));
const together = {
  ms: (performance.now() - started.ms) / lines.length,
  cpuMs: (1000 * (cpuSeconds() - started.cpu)) / lines.length,
};
console.log(show("ours, eight at once", together));
console.log(`memory: ${childMegabytes()} MB resident after that`);
await translator.host.close();

const { Translator } = (await import("../../training/translator/score.mjs" as string)) as {
  Translator: {
    load(
      folder: string,
    ): Promise<{ translate(lines: string[], from: string, to: string, beam: number): Promise<string[]> }>;
  };
};
const plain = await Translator.load(translatorFolder);
await plain.translate([short], "en", "de", 4);
const reference = await measure(lines.length, (index) => plain.translate([lines[index]!], "en", "de", 4));
console.log(show("plain runner, one by one", reference));
console.log(
  `CPU of ours against the plain runner: ${(alone.cpuMs / reference.cpuMs).toFixed(2)} alone, ${(together.cpuMs / reference.cpuMs).toFixed(2)} eight at once`,
);

if (hasApertium) {
  const apertium = openApertium();
  const chain = ["eng-spa"];
  await apertium.runChain(chain, short);
  console.log(
    show("Apertium (into Spanish), the short one", await measure(rounds, () => apertium.runChain(chain, short))),
  );
  await apertium.host.close();
}

async function measure(
  times: number,
  run: (index: number) => Promise<unknown>,
): Promise<{ ms: number; cpuMs: number }> {
  const walls: number[] = [];
  const cpu = cpuSeconds();
  for (let index = 0; index < times; index++) {
    const startedMs = performance.now();
    await run(index);
    walls.push(performance.now() - startedMs);
  }
  return { ms: median(walls), cpuMs: (1000 * (cpuSeconds() - cpu)) / times };
}

function show(name: string, { ms, cpuMs }: { ms: number; cpuMs: number }): string {
  return `${name.padEnd(40)} ${ms.toFixed(0).padStart(5)} ms, ${cpuMs.toFixed(0).padStart(5)} ms of CPU a sentence`;
}
