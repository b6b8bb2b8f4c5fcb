import { existsSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "../../platform/errors.ts";
import { checkRoom } from "./disk-room.ts";

export interface FetchOptions {
  /** More bytes are here; negative when a server makes us begin again. */
  onBytes(count: number): void;
  signal?: AbortSignal | undefined;
  /** How long a connection may be silent. */
  silenceMs?: number;
  /** The wait before the first further try; each one after it waits longer. */
  pauseMs?: number;
}

/** Tries in a row that bring nothing; whatever brings bytes starts the count anew. */
const mostTries = 5;
/** For a server that never sent anything. */
const triesAtFirst = 2;

/** Downloads to `path`, going on where an earlier attempt stopped when the server allows it. */
export async function fetchHttps(url: string, path: string, options: FetchOptions): Promise<void> {
  const { signal, pauseMs = 1000 } = options;
  let tries = 0;
  for (;;) {
    const before = sizeOf(path);
    try {
      await fetchRest(url, path, before, options);
      return;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Problem) throw error;
      const have = sizeOf(path);
      tries = have > before ? 0 : tries + 1;
      if (tries >= (have > 0 ? mostTries : triesAtFirst)) throw brokenOff(url, have, error);
      await sleep(pauseMs * (tries + 1), undefined, signal ? { signal } : {});
    }
  }
}

function brokenOff(url: string, have: number, cause: unknown): Problem {
  const { host } = new URL(url);
  const message =
    have === 0
      ? `${host} does not answer. Is it reachable from here?`
      : `The connection to ${host} broke off after ${(have / 1e6).toFixed(1)} MB, and again at each of ${mostTries} tries.`;
  return new Problem("upstream_failed", message, { cause });
}

async function fetchRest(url: string, path: string, have: number, options: FetchOptions): Promise<void> {
  const { onBytes, signal, silenceMs = 60_000 } = options;
  const silence = new AbortController();
  const watch = () => setTimeout(() => silence.abort(new Error("silent")), silenceMs);
  let timer = watch();
  try {
    const response = await fetch(url, {
      headers: have > 0 ? { range: `bytes=${have}-` } : {},
      signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
    });
    if (url.startsWith("https:") && !response.url.startsWith("https:")) {
      throw new Problem("upstream_failed", `${url} leads to an address without https.`);
    }
    if (response.status === 416 && have > 0) return beginAgain(path, have, onBytes);
    if (!response.ok || !response.body) throw refusal(url, response.status);
    const resumes = response.status === 206;
    if (have > 0 && !resumes) onBytes(-have);
    checkRoom(dirname(path), Number(response.headers.get("content-length") ?? 0));
    const file = await open(path, resumes ? "a" : "w");
    try {
      for await (const chunk of response.body) {
        clearTimeout(timer);
        timer = watch();
        // Written before the next is asked for: what came before a connection broke off is never fetched again.
        await file.writeFile(chunk);
        onBytes(chunk.length);
      }
    } finally {
      await file.close();
    }
  } finally {
    clearTimeout(timer);
  }
}

/** What is here is not the beginning of what the server has. */
function beginAgain(path: string, have: number, onBytes: (count: number) => void): never {
  rmSync(path, { force: true });
  onBytes(-have);
  throw new Error("begins again");
}

function refusal(url: string, status: number): Error {
  const isPassing = status >= 500 || status === 429;
  const what = status === 404 ? "is not there (404)" : `answered ${status}`;
  return isPassing ? new Error(`${url} ${what}`) : new Problem("upstream_failed", `${url} ${what}.`);
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}
