import { join } from "node:path";
import type { Tokenizer } from "@huggingface/tokenizers";
import { InferenceSession, Tensor } from "onnxruntime-node";
import type { Reranked } from "../../../ports/reranking-engine.ts";
import { TakeTurns } from "../bge/take-turns.ts";
import { serveChild } from "../host/serve-child.ts";
import { openTokenizer } from "../own-weights/text-tokenizer.ts";
import { frameOf, type Pair, type PairFrame, scoreOf, writePairs } from "./pairs.ts";

export interface CrossEncoderChildSettings {
  readonly folder: string;
  readonly file: string;
  /** Documents that are read side by side, each on a thread of its own. */
  readonly lanes: number;
}

interface CrossEncoder {
  readonly session: InferenceSession;
  readonly tokenizer: Tokenizer;
  readonly frame: PairFrame;
  readonly mostTokens: number;
  readonly turns: TakeTurns;
}

/** What models of this family were trained on (BERT, and RoBERTa's 514 places less its two); longer documents are read in parts. */
const MOST_TOKENS = 512;

serveChild({
  async load({ folder, file, lanes }: CrossEncoderChildSettings): Promise<CrossEncoder> {
    const { tokenizer, mostTokens } = openTokenizer(folder);
    const session = await InferenceSession.create(join(folder, file), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      enableMemPattern: false,
      logSeverityLevel: 3,
    });
    const probe = tokenizer.encode("a", { add_special_tokens: false }).ids;
    return {
      session,
      tokenizer,
      frame: frameOf(tokenizer.encode("a", { text_pair: "a" }).ids, probe.length),
      mostTokens: Math.min(MOST_TOKENS, mostTokens ?? MOST_TOKENS),
      turns: new TakeTurns(lanes),
    };
  },
  tasks: {
    async *score(
      { query, documents }: { query: string; documents: readonly string[] },
      { session, tokenizer, frame, mostTokens, turns }: CrossEncoder,
      signal,
    ) {
      const tokens = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
      const asked = tokens(query);
      const pairs = documents.map((document) => writePairs(frame, asked, tokens(document), mostTokens));
      const flat = pairs.flat();
      const all = await turns.runAll(flat, (pair) => judge(session, pair), signal);
      let place = 0;
      // A document is as good as its best part.
      const scores = pairs.map((own) => {
        const scoresOfParts = all.slice(place, place + own.length);
        place += own.length;
        return Math.max(...scoresOfParts);
      });
      yield { scores, tokens: flat.reduce((sum, { ids }) => sum + ids.length, 0) } satisfies Reranked;
    },
  },
});

async function judge(session: InferenceSession, { ids, types }: Pair): Promise<number> {
  const shape = [1, ids.length];
  const inputs: Record<string, Tensor> = {
    input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor("int64", BigInt64Array.from(types, BigInt), shape),
  };
  const wanted = Object.entries(inputs).filter(([name]) => session.inputNames.includes(name));
  const output = await session.run(Object.fromEntries(wanted), [session.outputNames[0]!]);
  const logits = output[session.outputNames[0]!]!;
  const score = scoreOf(logits.data as Float32Array);
  logits.dispose();
  return score;
}
