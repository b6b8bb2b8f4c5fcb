import { isObject, type Json, type UpstreamKind } from "../upstreams/kinds/kind.ts";

export interface BodyEdits {
  /** Asks for usage at the end of a stream. */
  asksUsage: boolean;
  /** Cuts the output to what the balance pays for. */
  outputTokens?: { name: string; most: number } | undefined;
}

/** The request as it goes upstream: the caller's own bytes, with as little added as possible. They are written anew only when
 *  something must leave them, or when two readers could understand them differently. */
export function editBody(raw: Buffer, body: Json, kind: UpstreamKind, edits: BodyEdits): Buffer {
  let isRewritten = hasTwin(raw);
  let edited = body;
  const forbidden = kind.forbids ? Object.keys(body).filter(kind.forbids) : [];
  if (forbidden.length > 0 || (kind.forbidNested && isObject(body.providerOptions))) {
    edited = structuredClone(body);
    for (const name of forbidden) delete edited[name];
    const isNestedChanged = kind.forbidNested?.(edited) ?? false;
    isRewritten = isRewritten || forbidden.length > 0 || isNestedChanged;
  }
  if (!isRewritten && !edits.asksUsage && !edits.outputTokens) return raw;
  const added: Json = {};
  if (edits.asksUsage) {
    const options = isObject(body.stream_options) ? body.stream_options : undefined;
    if (options?.include_usage !== true) added.stream_options = { ...options, include_usage: true };
  }
  if (edits.outputTokens) added[edits.outputTokens.name] = edits.outputTokens.most;
  if (isRewritten || Object.keys(added).some((name) => Object.hasOwn(body, name))) {
    return Buffer.from(JSON.stringify({ ...edited, ...added }));
  }
  const insertion = JSON.stringify(added).slice(1, -1);
  return insertion === "" ? raw : insert(raw, insertion);
}

/** After the opening brace; the body is an object that holds at least the model. */
function insert(raw: Buffer, members: string): Buffer {
  const at = raw.indexOf(0x7b) + 1;
  return Buffer.concat([raw.subarray(0, at), Buffer.from(`${members},`), raw.subarray(at)]);
}

const modelKey = Buffer.from('"model"');
const escapedLetter = Buffer.from("\\u006");

/** Two members called "model": we would price the last, and the upstream might serve the first. */
function hasTwin(raw: Buffer): boolean {
  const first = raw.indexOf(modelKey);
  if (first < 0) return true;
  // An escaped letter, as in "mod\\u0065l", may hide a twin.
  return raw.indexOf(modelKey, first + 1) >= 0 || raw.includes(escapedLetter);
}
