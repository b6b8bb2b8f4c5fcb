import type { Llama, LlamaGrammar } from "node-llama-cpp";
import { Problem } from "../../../platform/errors.ts";
import { grammarSchema } from "./grammar-schema.ts";

const mostKept = 32;
const grammars = new Map<string, Promise<LlamaGrammar>>();

/** What holds an answer to a schema; `true` for any JSON. Making one takes a moment, so the last ones are kept. */
export async function grammarFor(llama: Llama, schema: object | true): Promise<LlamaGrammar> {
  const key = JSON.stringify(schema);
  let grammar = grammars.get(key);
  if (!grammar) {
    grammar =
      schema === true ? llama.getGrammarFor("json") : llama.createGrammarForJsonSchema(grammarSchema(schema) as never);
    if (grammars.size > mostKept) grammars.delete(grammars.keys().next().value!);
    grammars.set(key, grammar);
  }
  return grammar.catch((cause: unknown) => {
    grammars.delete(key);
    throw new Problem("invalid_request", "The JSON schema uses something this model cannot be held to.", { cause });
  });
}
