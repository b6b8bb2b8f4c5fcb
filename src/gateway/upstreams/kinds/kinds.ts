import { anthropic } from "./anthropic.ts";
import { azure } from "./azure.ts";
import type { KindName, UpstreamKind } from "./kind.ts";
import { litellm } from "./litellm.ts";
import { openai } from "./openai.ts";
import { openrouter } from "./openrouter.ts";
import { vercel } from "./vercel/vercel.ts";

/** Every make of upstream, by the name that the settings give it. */
export const kinds: Readonly<Record<KindName, UpstreamKind>> = {
  openai,
  vercel,
  openrouter,
  litellm,
  anthropic,
  azure,
};

/** What is probably at an address; any server speaks OpenAI's dialect unless it is known for another. */
export function guessKind(url: string): KindName {
  const { hostname } = new URL(url);
  return Object.values(kinds).find(({ isAt }) => isAt?.(hostname))?.name ?? "openai";
}
