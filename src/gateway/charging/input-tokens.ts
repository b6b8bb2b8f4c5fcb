import { isObject, type Json } from "../json.ts";
import type { ListedModel } from "./prices.ts";

/** Where a catalog does not say what a model can read: the usual length of 2025. */
const usualContextTokens = 128_000;
/** The most that a picture is counted as: 2,833 and 5,667 for each of eight tiles (gpt-4o-mini, OpenAI's guide to vision). */
const tokensPerImage = 48_169;
/** Sound is 32 tokens a second at most (Gemini) and 640 bytes of base64 at least (Opus at 4 kbit/s). */
const bytesPerAudioToken = 20;

/** An upper bound of what a request makes a model read. No tokenizer makes more than one token of a byte; what lies elsewhere, or
 *  cannot be counted, may be as long as the model can read. */
export function mostInputTokens(body: Json, bytes: number, listed: readonly (ListedModel | undefined)[]): number {
  const tally: Tally = { mediaBytes: 0, mediaTokens: 0, isOpen: isOpenEnded(body) };
  look(body.messages, tally, 0);
  look(body.input, tally, 0);
  look(body.system, tally, 0);
  const context = contextTokens(listed);
  if (tally.isOpen) return Math.max(context, isListed(listed) ? 0 : bytes);
  const counted = bytes - tally.mediaBytes + tally.mediaTokens;
  return isListed(listed) ? Math.min(counted, context) : counted;
}

interface Tally {
  mediaBytes: number;
  mediaTokens: number;
  /** Something of unknown length is read too. */
  isOpen: boolean;
}

/** What an upstream keeps or looks up for itself: earlier turns, stored prompts, searches. */
function isOpenEnded({
  previous_response_id,
  conversation,
  prompt,
  tools,
  plugins,
  web_search_options,
}: Json): boolean {
  if (previous_response_id != null || conversation != null || web_search_options != null) return true;
  if (isObject(prompt) || (Array.isArray(plugins) && plugins.length > 0)) return true;
  return Array.isArray(tools) && tools.some((tool) => isObject(tool) && servedTools.test(String(tool.type)));
}
const servedTools = /search|fetch|interpreter|execution|mcp|image_generation|connector/;

function look(value: unknown, tally: Tally, depth: number): void {
  if (tally.isOpen || typeof value !== "object" || value === null || depth > 12) return;
  if (Array.isArray(value)) {
    for (const one of value) look(one, tally, depth + 1);
    return;
  }
  const { type, content, source } = value as Json;
  const kind = typeof type === "string" ? type : "";
  if (kind === "") look(content, tally, depth + 1);
  else if (/image/.test(kind)) countPicture(value as Json, tally);
  else if (/audio/.test(kind)) countSound(value as Json, tally);
  else if (/file|document|video|item_reference/.test(kind))
    tally.isOpen = !(isObject(source) && source.type === "text");
  else look(content, tally, depth + 1);
}

function countPicture(part: Json, tally: Tally): void {
  const bytes = embeddedBytes(part);
  if (bytes === undefined) tally.isOpen = true;
  else add(tally, bytes, tokensPerImage);
}

function countSound(part: Json, tally: Tally): void {
  const bytes = embeddedBytes(part);
  if (bytes === undefined) tally.isOpen = true;
  else add(tally, bytes, Math.ceil(bytes / bytesPerAudioToken));
}

function add(tally: Tally, bytes: number, tokens: number): void {
  tally.mediaBytes += bytes;
  tally.mediaTokens += tokens;
}

/** The length of what a part carries itself; undefined when it only points to it. */
function embeddedBytes(part: Json): number | undefined {
  const inner = [part.image_url, part.input_audio, part.source, part.image, part.audio, part].filter(Boolean);
  for (const place of inner) {
    const text = isObject(place) ? (place.data ?? place.url ?? place.image_url) : place;
    if (typeof text !== "string") continue;
    return /^(https?|file|gs|s3):/i.test(text) ? undefined : text.length;
  }
  return undefined;
}

function isListed(listed: readonly (ListedModel | undefined)[]): boolean {
  return listed.every((model) => knownContext(model) > 0);
}

function contextTokens(listed: readonly (ListedModel | undefined)[]): number {
  return Math.max(...listed.map((model) => knownContext(model) || usualContextTokens));
}

function knownContext(model: ListedModel | undefined): number {
  const tokens = Number(model?.record.context_window ?? model?.record.context_length);
  return tokens > 0 ? tokens : 0;
}
