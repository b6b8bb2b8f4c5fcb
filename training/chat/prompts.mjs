// The questions of the benches as prompts, with and without the instructions of a call. Usage: node prompts.mjs model.gguf out.json
import { readFileSync, writeFileSync } from "node:fs";
import { getLlama, LlamaLogLevel } from "node-llama-cpp";
import { tsImport } from "tsx/esm/api";

const [, , modelPath, to] = process.argv;
const { everydayQuestions } = await tsImport("../../bench/words/everyday-questions.ts", import.meta.url);
const CALL =
  "You are a friendly, helpful assistant on a phone call. Answer in one to three short, plain sentences, the way people " +
  "speak. No lists, no markup, no emoji. If you do not know, say so.";
const llama = await getLlama({ gpu: false, build: "never", logLevel: LlamaLogLevel.error });
const model = await llama.loadModel({ modelPath, vocabOnly: true });
const { bos, eos } = model.tokens;
const sets = {
  everyday: everydayQuestions.map(([question, good]) => [question, good.source]),
  fresh: readFileSync(new URL("questions.tsv", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("\t")),
};
const out = [];
for (const system of [undefined, CALL]) {
  for (const [set, questions] of Object.entries(sets)) {
    for (const [question, good] of questions) {
      const tokens = [bos];
      if (system) tokens.push(...model.tokenize(`<|system|>\n${system}`, false), eos);
      tokens.push(
        ...model.tokenize(`\n<|user|>\n${question}`, false),
        eos,
        ...model.tokenize("\n<|assistant|>\n", false),
      );
      out.push({ set: system ? `${set}-call` : set, question, good, tokens });
    }
  }
}
writeFileSync(to, JSON.stringify(out));
process.exit(0);
