import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { findLoop } from "../../src/adapters/engines/recogniser-graph/repetition.ts";
import { SHIPPED_DECODER, SHIPPED_ENCODER } from "../../src/adapters/engines/whisper/files.ts";
import { addLogMel } from "../../src/adapters/engines/whisper/graph/log-mel.ts";
import { listenInputs } from "../../src/adapters/engines/whisper/listen-inputs.ts";
import type { WhisperModel } from "../../src/adapters/engines/whisper/model.ts";
import { readRules } from "../../src/adapters/engines/whisper/rules.ts";
import { BLANK, END, NO_TIMES, START, TRANSCRIBE } from "../../src/adapters/engines/whisper/tokens.ts";
import { GraphBuilder } from "../../src/adapters/onnx-graph/graph-builder.ts";

const MOST_TOKENS = 220;

/** The shipped graphs: 30 s for every clip, every step through the merged decoder, the likeliest token that is allowed. */
export async function openPlainWhisper(folder: string, { vocabulary }: Pick<WhisperModel, "vocabulary">) {
  const options = {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  } as const;
  const spectrum = await InferenceSession.create(spectrumGraph(), options);
  const encoder = await InferenceSession.create(join(folder, SHIPPED_ENCODER), options);
  const decoder = await InferenceSession.create(join(folder, SHIPPED_DECODER), options);
  const rules = await readRules(folder);
  const past = decoder.inputNames.filter((name) => name.startsWith("past_key_values"));
  const fetched = decoder.outputNames.filter((name) => name === "logits" || name.startsWith("present"));
  const forbidden = new Set(rules.forbidden);

  return async (samples: Float32Array, language: string): Promise<string> => {
    const { feeds } = listenInputs(samples, "whole");
    const { bands } = await spectrum.run({ samples: feeds.samples });
    const heard = await encoder.run({ input_features: bands as Tensor }, ["last_hidden_state"]);
    const hidden = heard.last_hidden_state as Tensor;
    const heads = hidden.dims[2]! / 64;
    const nothing = new Tensor("float32", new Float32Array(0), [1, heads, 0, 64]);
    let memory: Record<string, Tensor> = Object.fromEntries(past.map((name) => [name, nothing]));
    const languageToken = rules.languageTokens[rules.languages.indexOf(language)]!;
    let input = [START, languageToken, TRANSCRIBE, NO_TIMES];
    const tokens: number[] = [];
    while (tokens.length < MOST_TOKENS) {
      const output = await decoder.run(
        {
          input_ids: new Tensor("int64", BigInt64Array.from(input, BigInt), [1, input.length]),
          encoder_hidden_states: hidden,
          use_cache_branch: new Tensor("bool", Uint8Array.of(tokens.length > 0 ? 1 : 0), [1]),
          ...memory,
        },
        fetched,
      );
      const token = likeliest(output.logits as Tensor, tokens.length === 0);
      if (token === END) break;
      tokens.push(token);
      if (findLoop(tokens) > 0) break;
      const isFirst = tokens.length === 1;
      memory = Object.fromEntries(
        past.map((name) => {
          const present = output[name.replace("past_key_values", "present")] as Tensor;
          // The keys of the speech come with the first step only.
          return [name, isFirst || name.includes("decoder") ? present : memory[name]!];
        }),
      );
      input = [token];
    }
    return vocabulary.textOf(tokens);
  };

  function likeliest(logits: Tensor, isFirst: boolean): number {
    const size = logits.dims[2]!;
    const last = (logits.data as Float32Array).subarray(-size);
    let best = -1;
    for (let token = 0; token <= END; token++) {
      if (forbidden.has(token) || (isFirst && (token === END || token === BLANK))) continue;
      if (best < 0 || last[token]! > last[best]!) best = token;
    }
    return best;
  }
}

function spectrumGraph(): Uint8Array {
  const graph = new GraphBuilder();
  graph.output(addLogMel(graph, graph.input("samples", "float32", [1, 1, "samples"])), "bands");
  return graph.write();
}
