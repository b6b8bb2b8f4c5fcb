import type { KindName } from "./kinds/kind.ts";

interface Provider {
  /** Undefined where every customer has an address of their own. */
  readonly url: string | undefined;
  readonly kind: KindName;
}

/** Providers that are asked directly. Most speak OpenAI's dialect and differ in nothing but where they are. */
const providers = {
  anthropic: { url: "https://api.anthropic.com/v1", kind: "anthropic" },
  azure: { url: undefined, kind: "azure" },
  cerebras: { url: "https://api.cerebras.ai/v1", kind: "openai" },
  deepseek: { url: "https://api.deepseek.com/v1", kind: "openai" },
  fireworks: { url: "https://api.fireworks.ai/inference/v1", kind: "openai" },
  groq: { url: "https://api.groq.com/openai/v1", kind: "openai" },
  mistral: { url: "https://api.mistral.ai/v1", kind: "openai" },
  moonshot: { url: "https://api.moonshot.ai/v1", kind: "openai" },
  openai: { url: "https://api.openai.com/v1", kind: "openai" },
  perplexity: { url: "https://api.perplexity.ai", kind: "openai" },
  together: { url: "https://api.together.xyz/v1", kind: "openai" },
  xai: { url: "https://api.x.ai/v1", kind: "openai" },
} as const satisfies Record<string, Provider>;

export type ProviderName = keyof typeof providers;
export const providerNames = Object.keys(providers) as [ProviderName, ...ProviderName[]];

export function getProvider(name: ProviderName): Provider {
  return providers[name];
}
