import { serveChild } from "../host/serve-child.ts";
import { Gather } from "./gather.ts";
import { Net } from "./net.ts";
import { openPhraseMemory, type PhraseMemory } from "./phrase-memory.ts";
import type { Hypothesis } from "./search-beams.ts";
import type { Ask } from "./translate-sentence.ts";
import { translateText } from "./translate-text.ts";

export interface TranslatorChildSettings {
  readonly folder: string;
  readonly beams: number;
  /** Sentences that are translated side by side. */
  readonly batch: number;
}

export interface TranslatorJob {
  readonly text: string;
  /** The net's own codes: `en`, `pt`. */
  readonly source: string;
  readonly target: string;
  /** The same words for the same text, whatever else is being translated: sentence by sentence, the likeliest word each time. */
  readonly isSteady: boolean;
}

export interface TranslatorAnswer {
  readonly text: string;
  /** Pieces that the net read and wrote. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether a sentence lost or gained a negation or a number on the way. */
  readonly isDoubtful: boolean;
}

interface Sentence {
  readonly pieces: readonly number[];
  readonly isSteady: boolean;
  isCancelled(): boolean;
}

interface Translator {
  readonly memory: PhraseMemory;
  readonly net: Net;
  readonly gather: Gather<Sentence, readonly Hypothesis[]>;
}

/** Up to 124 pieces were trained, but few were that long: the net loses its way in them, and less so in their clauses. */
const LONGEST = 72;

let jobs = 0;

serveChild({
  async load({ folder, beams, batch }: TranslatorChildSettings): Promise<Translator> {
    const net = await Net.load(folder);
    const limits = { sentences: batch, pieces: batch * 64 };
    const translate = (sentences: readonly Sentence[]) =>
      net.translate(sentences, { beams: sentences.some(({ isSteady }) => isSteady) ? 1 : beams });
    return { net, gather: new Gather(translate, limits), memory: openPhraseMemory(folder) };
  },
  tasks: {
    async *translate({ text, source, target, isSteady }: TranslatorJob, { net, gather, memory }: Translator, signal) {
      const flow = String(++jobs);
      let [inputTokens, outputTokens] = [0, 0];
      const translate: Ask = async (sentence, hop) => {
        const own = net.cut(sentence, hop.source);
        if (own.length === 0) return [sentence];
        const pieces = net.address(own, hop.source, hop.target);
        const item = { pieces, isSteady, isCancelled: () => signal.aborted };
        const hypotheses = await gather.add({ item, length: pieces.length, flow, isAlone: isSteady }, signal);
        inputTokens += own.length;
        outputTokens += hypotheses[0]?.pieces.length ?? 0;
        return hypotheses.map((one) => net.join(one.pieces, hop.target));
      };
      // Lists and forms say the same again and again.
      const known = new Map<string, ReturnType<Ask>>();
      const ask: Ask = (sentence, hop) => {
        const name = `${hop.source} ${hop.target} ${sentence}`;
        const answer = known.get(name) ?? translate(sentence, hop);
        known.set(name, answer);
        return answer;
      };
      const recall: PhraseMemory = (sentence, hop) => {
        const known = memory(sentence, hop);
        if (known === undefined) return undefined;
        inputTokens += net.cut(sentence, hop.source).length;
        outputTokens += net.cut(known, hop.target).length;
        return known;
      };
      let isDoubtful = false;
      ask.onDoubt = () => {
        isDoubtful = true;
      };
      const fits = (sentence: string, language: string) => net.cut(sentence, language).length <= LONGEST;
      const translated = await translateText(text, source, target, { ask, fits, recall });
      yield { text: translated, inputTokens, outputTokens, isDoubtful } satisfies TranslatorAnswer;
    },
  },
});
