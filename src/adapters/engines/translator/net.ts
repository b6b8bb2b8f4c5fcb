import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { z } from "zod";
import { foldScript, unfoldScript } from "./fold-script.ts";
import { type Decode, END, type Hypothesis, type SearchedSentence, searchBeams } from "./search-beams.ts";

const config = z.object({
  d: z.int(),
  heads: z.int(),
  decoders: z.int(),
  langs: z.array(z.string()),
  tags: z.record(z.string(), z.int()),
  blocks: z.record(z.string(), z.int()),
  devanagari: z.int(),
});
export type NetConfig = z.infer<typeof config>;

/** A sentence as the net reads it. */
export interface NetSentence {
  /** Its pieces between the tags that say from which language into which, and the end. */
  readonly pieces: readonly number[];
  isCancelled(): boolean;
}

export interface NetOptions {
  readonly beams: number;
}

/** The trained net: text to pieces, pieces to the most likely translations, and back to text. */
export class Net {
  readonly config: NetConfig;
  readonly #tokenizer: Tokenizer;
  readonly #encoder: InferenceSession;
  readonly #decoder: InferenceSession;
  readonly #numeric: ReadonlySet<number>;
  readonly #names: readonly string[];
  readonly #tags: ReadonlySet<number>;

  static async load(folder: string): Promise<Net> {
    const readJson = async (name: string) => JSON.parse(await readFile(join(folder, name), "utf8")) as object;
    const options: InferenceSession.SessionOptions = {
      // A second thread adds more CPU than it saves time; other sentences and engines use the other cores.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: "sequential",
      enableMemPattern: false,
      logSeverityLevel: 3,
    };
    const file = await readJson("tokenizer.json");
    return new Net(
      config.parse(await readJson("config.json")),
      new Tokenizer(file, {}),
      findNumeric(file),
      await InferenceSession.create(join(folder, "encoder.onnx"), options),
      await InferenceSession.create(join(folder, "decoder.onnx"), options),
    );
  }

  private constructor(
    settings: NetConfig,
    tokenizer: Tokenizer,
    numeric: ReadonlySet<number>,
    encoder: InferenceSession,
    decoder: InferenceSession,
  ) {
    this.config = settings;
    this.#tokenizer = tokenizer;
    this.#numeric = numeric;
    this.#encoder = encoder;
    this.#decoder = decoder;
    const parts = Array.from({ length: settings.decoders }, (_, layer) => [`k${layer}`, `v${layer}`]);
    this.#names = parts.flat();
    this.#tags = new Set(Object.values(settings.tags));
  }

  /** Pieces of a text without the tags. */
  cut(text: string, language: string): number[] {
    const { ids } = this.#tokenizer.encode(foldScript(text, language, this.config), { add_special_tokens: false });
    // A text that spells out a tag ("</s>") must not be read as one.
    return (ids as number[]).filter((id) => !this.#tags.has(id));
  }

  /** With the tags that the net expects around them. */
  address(pieces: readonly number[], source: string, target: string): number[] {
    const { tags } = this.config;
    return [tags[`<${source}>`]!, tags[`<2${target}>`]!, ...pieces, END];
  }

  join(pieces: readonly number[], language: string): string {
    if (pieces.length === 0) return "";
    const text = this.#tokenizer.decode([...pieces], {
      skip_special_tokens: true,
      clean_up_tokenization_spaces: false,
    });
    return unfoldScript(text.replaceAll("\u2581", " ").trim(), language, this.config);
  }

  /** The translations of each sentence, best first; none for one that was cancelled on the way. */
  async translate(sentences: readonly NetSentence[], { beams }: NetOptions): Promise<Hypothesis[][]> {
    const width = Math.max(...sentences.map(({ pieces }) => pieces.length));
    const cells = new BigInt64Array(sentences.length * width);
    for (const [row, { pieces }] of sentences.entries()) {
      for (const [place, piece] of pieces.entries()) cells[row * width + place] = BigInt(piece);
    }
    const source = new Tensor("int64", cells, [sentences.length, width]);
    const cross = await this.#encoder.run({ source });
    const searched: SearchedSentence[] = sentences.map((sentence) => ({
      length: sentence.pieces.length,
      isCancelled: () => sentence.isCancelled(),
    }));
    const decode = this.#decoderFor(source, cross, sentences.length);
    return searchBeams(searched, decode, beams, (piece) => this.#numeric.has(piece));
  }

  /** Steps that hand the state of the last one on to the next. */
  #decoderFor(source: Tensor, cross: Readonly<Record<string, Tensor>>, count: number): Decode {
    const { heads, d } = this.config;
    const nothing = () => new Tensor("float32", new Float32Array(0), [count, heads, 0, d / heads]);
    let past: Record<string, Tensor> = Object.fromEntries(this.#names.map((name) => [`past_${name}`, nothing()]));
    return async (rows, at) => {
      const output = await this.#decoder.run({
        piece: toTensor(rows.map(({ piece }) => piece)),
        at: toTensor([at]),
        source,
        sentence: toTensor(rows.map(({ sentence }) => sentence)),
        parent: toTensor(rows.map(({ parent }) => parent)),
        ...past,
        ...cross,
      });
      past = Object.fromEntries(this.#names.map((name) => [`past_${name}`, output[`next_${name}`]!]));
      const { score, best } = output;
      return {
        scores: score!.data as Float32Array,
        pieces: best!.data as BigInt64Array,
        width: score!.dims[1]!,
      };
    };
  }
}

function toTensor(values: readonly number[]): Tensor {
  return new Tensor("int64", BigInt64Array.from(values, BigInt), [values.length]);
}

/** Pieces that are a digit, with or without the blank before it. */
function findNumeric(file: object): Set<number> {
  const { model } = file as { model: { vocab: Record<string, number> } };
  return new Set(
    Object.entries(model.vocab)
      .filter(([piece]) => /^\u2581?\p{Nd}$/u.test(piece))
      .map(([, id]) => id),
  );
}
