import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../platform/package-root.ts";
import type { Json } from "../json.ts";
import type { ProviderName } from "./providers.ts";

let known: ReadonlyMap<string, Json> | undefined;

/** What a provider takes for one of its own models, as a catalog would tell it; undefined for one that the list does not know. */
export function listedByProvider(provider: ProviderName, model: string): Json | undefined {
  known ??= readList();
  return known.get(`${provider}/${model}`);
}

function readList(): ReadonlyMap<string, Json> {
  const text = readFileSync(join(packageRoot(), "src", "gateway", "upstreams", "price-list.tsv"), "utf8");
  const [, ...rows] = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    rows.map((row) => {
      const [provider, model, input, output, read, write, context, most] = row.split("\t");
      const pricing = {
        input: perToken(input!),
        output: perToken(output!),
        ...(read ? { input_cache_read: perToken(read) } : {}),
        ...(write ? { input_cache_write: perToken(write) } : {}),
      };
      const limits = {
        ...(context ? { context_window: Number(context) } : {}),
        ...(most ? { max_tokens: Number(most) } : {}),
      };
      return [`${provider}/${model}`, { ...limits, pricing }] as const;
    }),
  );
}

/** The list has dollars for a million. */
function perToken(perMillion: string): string {
  return (Number(perMillion) / 1_000_000).toFixed(12);
}
