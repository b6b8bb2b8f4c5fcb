import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A file that the build made for browsers, with the compressed forms that lie beside it. */
export interface BuiltFile {
  readonly path: string;
  readonly type: string;
  readonly encodings: readonly string[];
  readonly tag: string;
}

const types: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
  pdf: "application/pdf",
};
const endings: Record<string, string> = { br: ".br", gzip: ".gz" };

export const openRoute = { config: { scope: "open" }, schema: { hide: true } as object };

/** The files of a folder by their path in it. Looked for once: no path of a request ever reaches the disk. None when nothing is
 *  built; the APIs work without them. */
export function findBuiltFiles(folder: string): Map<string, BuiltFile> {
  const found = new Map<string, BuiltFile>();
  const walk = (below: string) => {
    const entries = readdirSync(join(folder, below), { withFileTypes: true });
    const names = new Set(entries.map(({ name }) => name));
    for (const { name } of entries.filter((entry) => entry.isDirectory())) walk(`${below}${name}/`);
    for (const { name } of entries.filter((entry) => entry.isFile())) {
      const type = types[name.slice(name.lastIndexOf(".") + 1)];
      if (!type) continue;
      const path = join(folder, below, name);
      found.set(`/${below}${name}`, {
        path,
        type,
        encodings: Object.keys(endings).filter((encoding) => names.has(name + endings[encoding])),
        tag: `"${createHash("sha256").update(readFileSync(path)).digest("base64url").slice(0, 22)}"`,
      });
    }
  };
  try {
    walk("");
  } catch {
    found.clear();
  }
  return found;
}

export async function sendBuiltFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BuiltFile,
): Promise<FastifyReply> {
  reply.header("etag", file.tag).header("vary", "accept-encoding");
  if (request.headers["if-none-match"] === file.tag) return reply.code(304).send();
  const accepted = request.headers["accept-encoding"] ?? "";
  const encoding = file.encodings.find((name) => new RegExp(`\\b${name}\\b`).test(accepted));
  reply.type(file.type);
  if (encoding) reply.header("content-encoding", encoding);
  return reply.send(await readFile(file.path + (encoding ? endings[encoding] : "")));
}
