import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { writeTestGguf } from "../../../../tests/support/test-gguf.ts";
import { packageRoot } from "../../../platform/package-root.ts";
import { parseOwnAddress } from "../own-weights/parse-address.ts";
import { architectures, embeddingArchitectures } from "./gguf-types.ts";
import { openGguf } from "./own-gguf.ts";
import { planMemory } from "./plan-memory.ts";

const template = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}";
const good = {
  "general.architecture": "qwen3",
  "qwen3.context_length": 32768,
  "qwen3.block_count": 28,
  "qwen3.attention.head_count": 16,
  "qwen3.attention.head_count_kv": 8,
  "qwen3.attention.key_length": 128,
  "tokenizer.ggml.tokens": ["a", "b"],
  "tokenizer.chat_template": template,
};
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parlance-gguf-"));
  return () => rmSync(folder, { recursive: true, force: true });
});

function open(bytes: Buffer | undefined, purpose: "chat" | "embeddings" | "reranking" = "chat", more = "") {
  const file = join(folder, "my model.gguf");
  if (bytes) writeFileSync(file, bytes);
  const address = parseOwnAddress(`gguf:${file}${more}`, ["gguf"])!;
  return openGguf("SVC_CHAT_ENGINE", address, purpose, {
    modelsDir: folder,
    contextTokens: 0,
    gpu: { use: "off", layers: 0 },
  });
}

describe("a GGUF of one's own", () => {
  it("is known by its own description", () => {
    const { name, facts, template: found, plan } = open(writeTestGguf(good));
    expect(name).toBe("my-model");
    expect(facts).toMatchObject({ architecture: "qwen3", trainedTokens: 32768, bytesPerToken: 4 * 28 * 8 * 128 });
    expect(found).toBe(template);
    expect(plan.windowTokens).toBe(8192);
  });

  it.each([
    ["a missing file", undefined, /there is no file or folder at .*my model\.gguf\.$/],
    ["a file that is something else", Buffer.from("PK\x03\x04 hello hello"), /is not a GGUF file\.$/],
    ["an empty file", Buffer.alloc(0), /ends in the middle of its own description\.$/],
    ["a description that is cut", writeTestGguf(good).subarray(0, 200), /ends in the middle of its own description\.$/],
    ["weights that are cut", writeTestGguf(good, { tensorBytes: 40 }), /is cut short: it has 0\.0 MB of 0\.0 MB/],
    ["a version nobody knows", writeTestGguf(good, { version: 9 }), /version 9, which is not known\.$/],
    [
      "an architecture nobody knows",
      writeTestGguf({ ...good, "general.architecture": "skynet" }),
      /is of the architecture "skynet", which llama\.cpp does not load here\.$/,
    ],
    ["a model without a template", writeTestGguf({ "general.architecture": "llama" }), /has no chat template/],
    [
      "a template that cannot be read",
      writeTestGguf({ ...good, "tokenizer.chat_template": "{% for %}" }),
      /the chat template cannot be read/,
    ],
    [
      "an embedding model as a chat engine",
      writeTestGguf({ "general.architecture": "bert" }),
      /makes embeddings and cannot chat; use SVC_EMBEDDINGS_ENGINE\.$/,
    ],
  ])("%s is refused in one sentence", (_what, bytes, sentence) => {
    expect(() => open(bytes)).toThrow(sentence);
    expect(() => open(bytes)).toThrow(/^SVC_CHAT_ENGINE is "gguf:/);
  });

  it("is a reranker where it has the weights of one", () => {
    expect(
      open(writeTestGguf(good, { tensors: [{ name: "cls.output.weight", dims: [16] }] }), "reranking").facts
        .isForRanking,
    ).toBe(true);
    expect(() => open(writeTestGguf(good), "reranking")).toThrow(
      /\(qwen3\) is no reranker: it has none of cls\.weight, cls\.output\.weight\.$/,
    );
  });

  it("may be given another template by file", () => {
    const file = join(folder, "mine.jinja");
    writeFileSync(file, "mine");
    expect(open(writeTestGguf(good), "chat", `?template=${file}`).template).toBe("mine");
    expect(() => open(writeTestGguf(good), "chat", "?template=nowhere.jinja")).toThrow(/there is no chat template at/);
  });

  it("a name that nobody knows is refused with the command that lists them", () => {
    const address = parseOwnAddress("gguf:nonsense", ["gguf"])!;
    const settings = { modelsDir: folder, contextTokens: 0, gpu: { use: "off", layers: 0 } as const };
    expect(() => openGguf("SVC_CHAT_ENGINE", address, "chat", settings)).toThrow(/models list --available/);
  });

  it("knows the architectures of the runtime that is installed", () => {
    const path = join(packageRoot(), "node_modules/node-llama-cpp/dist/gguf/types/GgufMetadataTypes.js");
    const names = [...readFileSync(path, "utf8").matchAll(/GgufArchitectureType\["\w+"\] = "([^"]+)"/g)].map(
      ([, name]) => name!,
    );
    // Parts of other models, and models that speak: neither chats nor embeds.
    const others = new Set(["clip", "wavtokenizer-dec", "qwen3tts", "(unknown)"]);
    expect(names.length).toBeGreaterThan(100);
    expect(
      names.filter((name) => !architectures.has(name) && !embeddingArchitectures.has(name) && !others.has(name)),
    ).toEqual([]);
  });
});

describe("memory for conversations", () => {
  it("goes by the machine: few long ones on a small one, more on a large one", () => {
    const model = { bytes: 400e6, bytesPerToken: 114_688, trainedTokens: 32_768 };
    const small = planMemory(model, 0, 8e9);
    const large = planMemory(model, 0, 64e9);
    expect(small).toMatchObject({ windowTokens: 8192, conversations: 1, remembered: 0 });
    expect(large).toMatchObject({ windowTokens: 8192, conversations: 4, remembered: 2 });
    expect(large.memoryLimitMb).toBeGreaterThan(large.retireAboveMb);
    expect(planMemory(model, 1_000_000, 64e9).windowTokens).toBe(32_768);
  });
});
