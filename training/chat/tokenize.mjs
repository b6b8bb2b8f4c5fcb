// Writes conversations as the tokens that the server's own prompts have, with the words of the assistant marked.
// Usage: node tokenize.mjs model.gguf conversations.jsonl out.json
import { readFileSync, writeFileSync } from "node:fs";
import { getLlama, LlamaLogLevel } from "node-llama-cpp";

const [, , modelPath, from, to] = process.argv;
const llama = await getLlama({ gpu: false, build: "never", logLevel: LlamaLogLevel.error });
const model = await llama.loadModel({ modelPath, vocabOnly: true });
const { bos, eos } = model.tokens;
const cue = model.tokenize("\n<|assistant|>\n", false);
const rows = readFileSync(from, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
let odd = 0;
const out = rows.map(({ kind, s, m, text }) => {
  if (text) {
    const tokens = [bos, ...model.tokenize(text, false)];
    return { kind, tokens, learn: [[1, tokens.length]] };
  }
  const tokens = [bos];
  const learn = [];
  const add = (role, text) => {
    const lead = tokens.length === 1 && role === "system" ? "" : "\n";
    const ids = model.tokenize(`${lead}<|${role}|>\n${text}`, false);
    const start = tokens.length;
    tokens.push(...ids, eos);
    if (role === "assistant") {
      if (cue.some((id, index) => ids[index] !== id)) odd += 1;
      learn.push([start + cue.length, tokens.length]);
    }
  };
  if (s) add("system", s);
  for (const [index, text] of m.entries()) add(index % 2 === 0 ? "user" : "assistant", text);
  return { kind, tokens, learn };
});
writeFileSync(to, JSON.stringify(out));
const total = out.reduce((sum, { tokens }) => sum + tokens.length, 0);
console.log(`${out.length} conversations, ${total} tokens, ${odd} whose cue is cut differently`);
process.exit(0);
