import { Problem } from "../../platform/errors.ts";
import { isObject, type Json } from "../json.ts";
import type { Endpoint } from "../upstreams/kinds/kind.ts";
import type { Reply, TurnEvent, TurnRequest } from "./turn.ts";

/** A dialect in which callers ask and are answered. */
export interface CallerDialect {
  readonly endpoint: Endpoint;
  readonly idPrefix: string;
  /** What it calls the limit of its output, first the name to set it by. */
  readonly outputLimits: readonly string[];
  /** Throws where something cannot be said in another dialect. */
  readRequest(body: Json): TurnRequest;
  writeReply(reply: Reply): Json;
  /** Makes server-sent events, one reply's events after another. */
  writeStream(showsUsage: boolean): (event: TurnEvent) => string;
}

/** A dialect that upstreams speak, too. */
export interface Dialect extends CallerDialect {
  writeRequest(request: TurnRequest): Json;
  /** Undefined for what is no reply. */
  readReply(body: Json): Reply | undefined;
  readStream(): StreamReader;
}

export interface StreamReader {
  read(event: Json): readonly TurnEvent[];
  /** There is nothing more. A stream that broke off has no end. */
  end(): readonly TurnEvent[];
}

/** One event, under its name where the dialect names them. */
export function writeEvent(data: Json, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Without the members that nobody gave. */
export function optional(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null));
}

export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function maybeText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function objectIn(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function objectsIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function refusal(field: string, message: string): Problem {
  return new Problem("invalid_request", `"${field}": ${message}.`);
}

/** OpenAI refuses longer names of users (64 in its API reference), and Claude Code's are. */
const longestUser = 64;

export function shortUser(user: unknown): string | undefined {
  return typeof user === "string" && user.length <= longestUser ? user : undefined;
}

/** What the gateways give the same name in all of their dialects. */
const sharedNames = [
  "models",
  "provider",
  "providerOptions",
  "plugins",
  "service_tier",
  "prompt_cache_key",
  "verbosity",
];

export function sharedOf(body: Json): Json {
  return optional(Object.fromEntries(sharedNames.map((name) => [name, body[name]])));
}
