import { readFileSync } from "node:fs";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { createLexicon } from "./lexicon.ts";
import { featuresOfPage, meaningsPerWord, numbersPerWord, type PageFeatures, type PageWord } from "./page-features.ts";
import { mostGrams } from "./word-features.ts";

/** What the net says of a page, one row a word. */
export interface PageTags {
  /** The chance of each tag, in the order of `tags`. */
  readonly chances: Float32Array;
  /** The chance of each kind of document. */
  readonly kinds: Float32Array;
}

export interface PageTagger {
  readonly tags: readonly string[];
  readonly kinds: readonly string[];
  tag(words: readonly PageWord[]): Promise<PageTags>;
}

/** The net that says what each word of a page is (training/tagger). */
export async function createPageTagger(folder: string): Promise<PageTagger> {
  const about = JSON.parse(readFileSync(join(folder, "tagger.json"), "utf8")) as {
    tags: string[];
    kinds: string[];
    meanings: string[];
  };
  const lexicon = createLexicon(about.meanings);
  const session = await InferenceSession.create(join(folder, "tagger.onnx"), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });
  return {
    tags: about.tags,
    kinds: about.kinds,
    async tag(words) {
      const given = await session.run(inputsOf(featuresOfPage(words, lexicon)), ["tags", "kind"]);
      const numbers = (name: string): Float32Array => given[name]!.data as Float32Array;
      return { chances: numbers("tags"), kinds: numbers("kind") };
    },
  };
}

function inputsOf(page: PageFeatures): Record<string, Tensor> {
  const { count } = page;
  return {
    grams: new Tensor("int64", page.grams, [count, mostGrams]),
    words: new Tensor("int64", page.words, [count]),
    shapes: new Tensor("int64", page.shapes, [count]),
    meanings: new Tensor("int64", page.meanings, [count, meaningsPerWord]),
    numbers: new Tensor("float32", page.numbers, [count, numbersPerWord]),
    boxes: new Tensor("float32", page.boxes, [count, 4]),
  };
}
