import { deserialize, serialize } from "node:v8";
import { Problem } from "../../platform/errors.ts";
import { fromWire, toWire, type WireError } from "../engines/host/protocol.ts";

/** What one queue group serves: an engine, the model or voice that is wanted of it, and the language. */
export interface Lane {
  readonly engine: string;
  readonly model: string;
  readonly language: string;
}

/** In place of a model or a language that does not matter. */
export const ANY = "any";

/** How busy one engine of a worker is. */
export interface Load {
  readonly queued: number;
  readonly active: number;
  readonly places: number;
  /** How long one job takes there. */
  readonly meanJobMs: number;
  /** How long the first in the queue has waited. */
  readonly oldestWaitMs: number;
}

/** A worker's sign of life. */
export interface Beat {
  readonly worker: string;
  readonly version: string;
  /** Names the catalog: those that are equal need to be fetched once. */
  readonly catalog: string;
  readonly isDraining: boolean;
  readonly loads: Readonly<Record<string, Load>>;
}

export interface Start {
  readonly operation: string;
  /** Undefined when it comes in parts, once the worker has agreed. */
  readonly input: Uint8Array | undefined;
  /** The worker was chosen: it takes the job unless its queue is full. */
  readonly isInsisted: boolean;
  /** How long a job takes the quickest worker that seems to be free. */
  readonly bestMs: number | undefined;
}

/** To a lane, or to a worker's own subject. A job is named by the subject that its results go to. */
export type ToWorker =
  | { type: "start"; start: Start }
  | { type: "input"; job: string; bytes: Uint8Array; isLast: boolean }
  | { type: "ack"; job: string; count: number }
  | { type: "cancel"; job: string }
  /** Are you there, and do you still have it? Also says how much was taken, in case an acknowledgement was lost. */
  | { type: "ping"; count: number }
  | { type: "catalog" }
  /** To everybody: nobody answers. */
  | { type: "tell"; operation: string; input: unknown };

/** To the subject of a job. */
export type ToNode =
  | { type: "accept"; worker: string }
  | { type: "decline"; worker: string; waitMs: number; retryAfterSeconds: number }
  | { type: "part"; place: number; bytes: Uint8Array; isLast: boolean }
  | { type: "end"; place: number }
  | { type: "error"; place: number; error: WireProblem }
  | { type: "pong" }
  | { type: "unknown" }
  | { type: "catalog"; text: string };

export interface WireProblem extends WireError {
  retryAfterSeconds?: number;
}

/** A worker may be this many results ahead of its reader. */
export const windowSize = 8;
/** Larger things travel in parts: a message on the bus may have a million bytes, and others want to pass. */
export const partBytes = 256 * 1024;

export function subjects(name: string) {
  const token = (text: string) => text.replace(/[^A-Za-z0-9_-]/g, "_");
  return {
    lane: ({ engine, model, language }: Lane) => `${name}.work.${token(engine)}.${token(model)}.${token(language)}`,
    worker: (id: string) => `${name}.worker.${id}`,
    node: (id: string) => `${name}.node.${id}`,
    job: (node: string, job: string) => `${name}.node.${node}.${job}`,
    everybody: `${name}.everybody`,
    beat: `${name}.beat`,
    hello: `${name}.hello`,
  };
}

export function pack(message: ToWorker | ToNode | Beat | object): Uint8Array {
  return serialize(message);
}

/** What others sent is read, or undefined: a message that cannot be read must not end the process. */
export function unpack<Message>(data: Uint8Array): Message | undefined {
  try {
    return deserialize(data) as Message;
  } catch {
    return undefined;
  }
}

export function* split(bytes: Uint8Array): Iterable<{ bytes: Uint8Array; isLast: boolean }> {
  if (bytes.length === 0) yield { bytes, isLast: true };
  for (let at = 0; at < bytes.length; at += partBytes) {
    yield { bytes: bytes.subarray(at, at + partBytes), isLast: at + partBytes >= bytes.length };
  }
}

export function problemToWire(error: unknown): WireProblem {
  const after = error instanceof Problem ? error.retryAfterSeconds : undefined;
  return { ...toWire(error), ...(after === undefined ? {} : { retryAfterSeconds: after }) };
}

export function problemFromWire(engine: string, wire: WireProblem): Problem {
  if (!wire.kind) return fromWire(engine, wire);
  const { kind, message, retryAfterSeconds } = wire;
  return new Problem(kind, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}
