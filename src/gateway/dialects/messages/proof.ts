import { parseObject } from "../../json.ts";
import type { ReasoningMarks, ReasoningPart } from "../turn.ts";

/** Begins what proves thoughts of other providers, which have more to say about them than a signature. */
const prefix = "parlance:";

/** Anthropic's dialect has one opaque text for whatever proves a thought, and clients give it back unchanged. */
export function packProof({ text, signature, encrypted, id, format, isSummary }: ReasoningPart): string {
  const natural = text === "" && signature === undefined ? encrypted : signature;
  const hasMore = id !== undefined || format !== undefined || isSummary === true;
  const isPlain = !hasMore && (natural === encrypted || encrypted === undefined);
  if (isPlain) return natural ?? "";
  const marks = { signature, encrypted, id, format, isSummary };
  return prefix + Buffer.from(JSON.stringify(marks)).toString("base64url");
}

export function unpackProof(proof: string, natural: "signature" | "encrypted"): ReasoningMarks {
  if (proof === "") return {};
  const text = proof.startsWith(prefix) ? Buffer.from(proof.slice(prefix.length), "base64url").toString("utf8") : "";
  const marks = parseObject(text) as ReasoningMarks | undefined;
  return marks ?? { [natural]: proof };
}
