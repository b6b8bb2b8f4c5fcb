import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { z } from "zod";

const VOCABULARY = "vocab.txt";
const WRITTEN = ["tokenizer.json", "tokenizer_config.json"];

/** The file that is missing in a folder; undefined where its texts can be cut into tokens. */
export function lacksTokenizer(folder: string): string | undefined {
  if (existsSync(join(folder, VOCABULARY))) return undefined;
  return WRITTEN.find((name) => !existsSync(join(folder, name)));
}

const config = z.looseObject({
  do_lower_case: z.boolean().optional().catch(undefined),
  model_max_length: z.number().optional().catch(undefined),
});

export interface TextTokenizer {
  readonly tokenizer: Tokenizer;
  /** Tokens that the model reads at once, where its files say so. */
  readonly mostTokens: number | undefined;
}

/** The tokenizer of a model: as Hugging Face writes it, or BERT's own with the words of `vocab.txt`. */
export function openTokenizer(folder: string): TextTokenizer {
  const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")) as object;
  const settings = config.parse(existsSync(join(folder, WRITTEN[1]!)) ? readJson(WRITTEN[1]!) : {});
  const tokenizer = WRITTEN.every((name) => existsSync(join(folder, name)))
    ? new Tokenizer(readJson(WRITTEN[0]!), settings)
    : new Tokenizer(describeBert(readFileSync(join(folder, VOCABULARY), "utf8"), settings.do_lower_case ?? true), {});
  return { tokenizer, mostTokens: settings.model_max_length };
}

const specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];

/** BERT's tokenizer in the words of tokenizer.json (the settings that bert-base-uncased and bert-base-cased have there). */
function describeBert(vocabulary: string, lowercase: boolean): object {
  const words = vocabulary.split(/\r?\n/);
  // The file ends with a line break, and an empty line would be a word.
  if (words.at(-1) === "") words.pop();
  const vocab = Object.fromEntries(words.map((word, id) => [word, id]));
  const known = specials.filter((content) => Object.hasOwn(vocab, content));
  const special = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } });
  const text = (id: string, type_id: number) => ({ Sequence: { id, type_id } });
  const single = [special("[CLS]", 0), text("A", 0), special("[SEP]", 0)];
  return {
    added_tokens: known.map((content) => ({
      id: vocab[content],
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single,
      pair: [...single, text("B", 1), special("[SEP]", 1)],
      special_tokens: Object.fromEntries(known.map((id) => [id, { id, ids: [vocab[id]], tokens: [id] }])),
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}
