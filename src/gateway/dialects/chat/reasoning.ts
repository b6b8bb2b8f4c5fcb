import type { Json } from "../../json.ts";
import { maybeText, objectsIn, optional, textIn } from "../dialect.ts";
import type { ReasoningMarks, ReasoningPart } from "../turn.ts";

/** A signature is taken for Anthropic's where nothing is said. */
const usualFormat = "anthropic-claude-v1";

/** One entry of `reasoning_details`: several with one index are one thought. */
export interface Thought {
  readonly key: string;
  readonly text: string;
  readonly marks: ReasoningMarks;
}

/** The thoughts in a message or in a piece of one. OpenRouter and Vercel tell them twice: as a plain text, and in detail. */
export function thoughtsIn({ reasoning, reasoning_content, reasoning_details }: Json): Thought[] {
  const details = objectsIn(reasoning_details).map(readDetail);
  const plain = maybeText(reasoning) ?? maybeText(reasoning_content);
  if (plain === undefined || details.some(({ text }) => text !== "")) return details;
  return [{ key: details[0]?.key ?? "0", text: plain, marks: {} }, ...details];
}

function readDetail(detail: Json, at: number): Thought {
  const { type, index, data, signature, id, format } = detail;
  return {
    key: typeof index === "number" ? String(index) : `${at}`,
    text: textIn(detail.text ?? detail.summary),
    marks: optional({
      signature: maybeText(signature),
      encrypted: maybeText(data),
      id: maybeText(id),
      format: format === usualFormat ? undefined : maybeText(format),
      isSummary: type === "reasoning.summary" ? true : undefined,
    }),
  };
}

export function readThoughts(message: Json): ReasoningPart[] {
  const parts = new Map<string, ReasoningPart>();
  for (const { key, text, marks } of thoughtsIn(message)) {
    const known = parts.get(key);
    parts.set(key, { type: "reasoning", ...known, ...marks, text: (known?.text ?? "") + text });
  }
  return [...parts.values()];
}

/** The thoughts of a message, or of a piece of one, as the gateways' chat completions have them. */
export function writeThoughts(parts: readonly (ReasoningPart & { readonly index: number })[]): Json {
  if (parts.length === 0) return {};
  const text = parts.map((part) => part.text).join("");
  return { ...(text === "" ? {} : { reasoning: text }), reasoning_details: parts.flatMap(writeDetails) };
}

function writeDetails({ index, text, isSummary, signature, encrypted, id, format }: ReasoningPart & { index: number }) {
  const known = format ?? (signature === undefined ? undefined : usualFormat);
  const common = optional({ id, format: known });
  const details: Json[] = [];
  if (text !== "" || isSummary || encrypted === undefined) {
    const said = isSummary ? { type: "reasoning.summary", summary: text } : { type: "reasoning.text", text };
    details.push({ ...said, ...optional({ signature }), ...common, index });
  }
  if (encrypted !== undefined) details.push({ type: "reasoning.encrypted", data: encrypted, ...common, index });
  return details;
}
