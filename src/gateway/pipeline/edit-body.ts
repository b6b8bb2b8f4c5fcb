import { isObject, type Json } from "../json.ts";
import type { UpstreamKind } from "../upstreams/kinds/kind.ts";
import { editJson, type MemberEdit } from "./edit-json.ts";

export interface BodyEdits {
  /** Asks for usage at the end of a stream. */
  asksUsage: boolean;
  /** Cuts the output to what the balance pays for. */
  outputTokens?: { name: string; most: number } | undefined;
  /** What the upstream calls the model, where the caller used another name. */
  model?: string | undefined;
}

/** The request as it goes upstream: the caller's own bytes, with as little added as possible. What must leave is cut out, and of two
 *  members with one name the last stays, so that nobody can understand them differently. */
export function editBody(raw: Buffer, body: Json, kind: UpstreamKind, edits: BodyEdits): Buffer {
  const added = addedMembers(body, edits);
  const isCut = hasTwin(raw) || forbidsAny(kind, body);
  if (!added && !isCut) return raw;
  return editMembers(raw, body, kind, added ?? {}, isCut);
}

function editMembers(raw: Buffer, body: Json, kind: UpstreamKind, added: Json, isCut: boolean): Buffer {
  const replaced = Object.keys(added).filter((name) => Object.hasOwn(body, name));
  if (!isCut && replaced.length === 0) return insert(raw, JSON.stringify(added).slice(1, -1));
  const text = editJson(raw.toString("utf8"), body, (path) => decide(path, kind, added));
  const missing = Object.entries(added).filter(([name]) => !replaced.includes(name));
  const bytes = Buffer.from(text, "utf8");
  return missing.length === 0 ? bytes : insert(bytes, JSON.stringify(Object.fromEntries(missing)).slice(1, -1));
}

function addedMembers(body: Json, { asksUsage, outputTokens, model }: BodyEdits): Json | undefined {
  const options = isObject(body.stream_options) ? body.stream_options : undefined;
  const lacksUsage = asksUsage && options?.include_usage !== true;
  const isRenamed = model !== undefined && model !== body.model;
  if (!lacksUsage && !outputTokens && !isRenamed) return undefined;
  const added: Json = {};
  if (lacksUsage) added.stream_options = { ...options, include_usage: true };
  if (outputTokens) added[outputTokens.name] = outputTokens.most;
  if (isRenamed) added.model = model;
  return added;
}

function forbidsAny(kind: UpstreamKind, body: Json): boolean {
  if (!kind.forbids && !kind.forbidsOption) return false;
  return Object.keys(body).some((name) => kind.forbids?.(name) || (kind.forbidsOption && name === "providerOptions"));
}

function decide(path: readonly (string | number)[], kind: UpstreamKind, added: Json): MemberEdit {
  const [name, inner, option] = path as string[];
  if (path.length === 1) {
    if (kind.forbids?.(name!)) return { remove: true };
    if (Object.hasOwn(added, name!)) return { replace: JSON.stringify(added[name!]) };
    return name === "providerOptions" && kind.forbidsOption ? undefined : "skip";
  }
  if (path.length === 2) return inner === "gateway" ? undefined : "skip";
  return kind.forbidsOption!(option!) ? { remove: true } : "skip";
}

/** After the opening brace; the body is an object that holds at least the model. */
function insert(raw: Buffer, members: string): Buffer {
  const at = raw.indexOf(0x7b) + 1;
  return Buffer.concat([raw.subarray(0, at), Buffer.from(`${members},`), raw.subarray(at)]);
}

const modelKey = Buffer.from('"model"');
const escapedLetter = Buffer.from("\\u006");

/** Perhaps two members called "model": we would price the last, and the upstream might serve the first. */
function hasTwin(raw: Buffer): boolean {
  const first = raw.indexOf(modelKey);
  if (first < 0) return true;
  // An escaped letter, as in "mod\\u0065l", may hide a twin.
  return raw.indexOf(modelKey, first + 1) >= 0 || raw.includes(escapedLetter);
}
