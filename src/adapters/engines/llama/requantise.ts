import { createReadStream, createWriteStream, readdirSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import koffi from "koffi";
import { hashFile } from "../../models/model-folder.ts";
import type { DeriveContext } from "../../models/pull.ts";
import { mergeAdapter } from "./merge-adapter.ts";
import { CHAT_MODEL_FILE } from "./model-file.ts";

const WHOLE_SHA256 = "9ee11adf737960ff06123d5c4fba24d12c5b05ba460a7afa88950fbf2b61add0";
/** llama.cpp's number of the file type whose matrices are Q8_0. */
const MOSTLY_Q8_0 = 7;
/** What was taught to the model afterwards (training/chat). */
const ADAPTER_FILE = "everyday.gguf";

/** The model comes in two parts at two bits a weight. Eight bits hold the same weights, twice as fast to generate with and five
 *  times as fast to read a prompt with. Two bits also cost it its manners and much of what it knew: what it was taught again is
 *  added to its weights. */
export async function requantise({ folder, onProgress }: DeriveContext): Promise<void> {
  const whole = join(folder, `whole.${process.pid}.gguf`);
  const made = join(folder, `made.${process.pid}.gguf`);
  try {
    await joinParts([join(folder, "part1"), join(folder, "part2")], whole);
    const found = await hashFile(whole);
    if (found !== WHOLE_SHA256) throw new Error(`The joined model has the sha256 ${found}, expected ${WHOLE_SHA256}.`);
    onProgress(0.1);
    await quantise(whole, made, (fraction) => onProgress(0.1 + 0.4 * fraction));
    await mergeAdapter(made, join(folder, ADAPTER_FILE), (fraction) => onProgress(0.5 + 0.5 * fraction));
    renameSync(made, join(folder, CHAT_MODEL_FILE));
  } finally {
    rmSync(whole, { force: true });
    rmSync(made, { force: true });
  }
}

async function joinParts(parts: readonly string[], whole: string): Promise<void> {
  for (const [index, part] of parts.entries()) {
    await pipeline(createReadStream(part), createWriteStream(whole, { flags: index === 0 ? "w" : "a" }));
  }
}

/** The runtime does not offer its library's quantiser, so it is called directly. */
async function quantise(from: string, to: string, onProgress: (fraction: number) => void): Promise<void> {
  const folder = libraryFolder();
  const library = koffi.load(join(folder, libraryName(folder, "llama")));
  const parameters = koffi.struct("llama_model_quantize_params", {
    nthread: "int32_t",
    ftype: "int32_t",
    output_tensor_type: "int32_t",
    token_embedding_type: "int32_t",
    allow_requantize: "bool",
    quantize_output_tensor: "bool",
    only_copy: "bool",
    pure: "bool",
    keep_split: "bool",
    dry_run: "bool",
    imatrix: "void *",
    kv_overrides: "void *",
    tt_overrides: "void *",
    prune_layers: "void *",
    max_buf_size: "size_t",
  });
  const defaults = library.func("llama_model_quantize_default_params", parameters, []);
  const run = library.func("llama_model_quantize", "uint32_t", ["str", "str", koffi.pointer(parameters)]);
  const wanted = { ...(defaults() as object), ftype: MOSTLY_Q8_0, allow_requantize: true };
  // The library tells its progress in the log lines that it would print: "[ 177/ 201] blk.19.attn_output.weight".
  const logged = koffi.proto("void llama_log(int level, const char *text, void *data)");
  const listen = koffi.register((_level: number, text: string) => {
    const [, done, all] = /^\[\s*(\d+)\/\s*(\d+)\]/.exec(text) ?? [];
    if (done) onProgress(Number(done) / Number(all));
  }, koffi.pointer(logged));
  const setLog = library.func("llama_log_set", "void", [koffi.pointer(logged), "void *"]);
  setLog(listen, null);
  try {
    const failed = await new Promise<number>((resolve, reject) => {
      run.async(from, to, wanted, (error: Error | null, result: number) => (error ? reject(error) : resolve(result)));
    });
    if (failed !== 0) throw new Error(`llama.cpp could not requantise the model (${failed}).`);
  } finally {
    setLog(null, null);
    koffi.unregister(listen);
  }
}

function libraryFolder(): string {
  const platform = `${{ linux: "linux", darwin: "mac", win32: "win" }[process.platform as string]}-${process.arch}`;
  const name = platform === "mac-arm64" ? "mac-arm64-metal" : platform;
  const runtime = createRequire(createRequire(import.meta.url).resolve("node-llama-cpp"));
  return join(dirname(dirname(runtime.resolve(`@node-llama-cpp/${name}`))), "bins", name);
}

function libraryName(folder: string, name: string): string {
  const found = readdirSync(folder).find((file) =>
    new RegExp(`^(lib)?${name}(\\.v[\\d.]+)?\\.(so|dylib|dll)$`).test(file),
  );
  if (!found) throw new Error(`The llama.cpp library is not in ${folder}. Reinstall the packages with: npm ci`);
  return found;
}
