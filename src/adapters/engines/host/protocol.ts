import { Problem, type ProblemKind } from "../../../platform/errors.ts";

/** What the server says to an engine child. */
export type ToChild =
  | { type: "load"; settings: unknown }
  | { type: "start"; id: number; task: string; input: unknown }
  | { type: "ack"; id: number }
  | { type: "cancel"; id: number }
  | { type: "ping" };

/** What an engine child says to the server. */
export type FromChild =
  | { type: "booted" }
  | { type: "ready" }
  | { type: "load-failed"; error: WireError }
  | { type: "chunk"; id: number; value: unknown }
  | { type: "end"; id: number }
  | { type: "error"; id: number; error: WireError }
  | { type: "pong"; rssBytes: number };

export interface WireError {
  /** Absent when the child failed in a way nobody foresaw. */
  kind?: ProblemKind;
  message: string;
  stack?: string;
}

/** A child may be this many results ahead of its reader. */
export const windowSize = 8;

export function toWire(error: unknown): WireError {
  if (error instanceof Problem) return { kind: error.kind, message: error.message };
  if (error instanceof Error) return { message: error.message, ...(error.stack ? { stack: error.stack } : {}) };
  return { message: String(error) };
}

/** An unforeseen failure inside a child is the engine's fault: the caller learns that, the log learns the rest. */
export function fromWire(engine: string, error: WireError): Problem {
  if (error.kind) return new Problem(error.kind, error.message);
  const cause = new Error(error.message);
  if (error.stack) cause.stack = error.stack;
  return new Problem("engine_unavailable", `The ${engine} engine failed on this request.`, { cause });
}
