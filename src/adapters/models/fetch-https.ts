import { createWriteStream, existsSync, statSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Problem } from "../../platform/errors.ts";

/** Downloads to `path`, going on where an earlier attempt stopped when the server allows it. */
export async function fetchHttps(
  url: string,
  path: string,
  onBytes: (count: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const have = existsSync(path) ? statSync(path).size : 0;
  const response = await fetch(url, {
    headers: have > 0 ? { range: `bytes=${have}-` } : {},
    ...(signal ? { signal } : {}),
  });
  const resumes = response.status === 206;
  if (!response.ok || !response.body) throw new Problem("upstream_failed", `${url} answered ${response.status}.`);
  if (resumes) onBytes(have);
  const counted = Readable.fromWeb(response.body as never).on("data", (chunk: Buffer) => onBytes(chunk.length));
  await pipeline(counted, createWriteStream(path, { flags: resumes ? "a" : "w" }));
}
