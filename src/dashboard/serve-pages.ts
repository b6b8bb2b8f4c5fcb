import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpApp } from "../platform/http/create-server.ts";
import { page } from "../platform/http/reference-page.ts";
import { sendPage } from "../platform/http/security-headers.ts";
import { packageRoot } from "../platform/package-root.ts";

/** Where `scripts/build-web.mjs` puts the pages. */
const builtPages = () => join(packageRoot(), "dist", "web", "dashboard");

/** Every address of the application. A path that is not among them stays the 404 of the service that answers for it. */
const addresses = [
  "/",
  "/sign-in",
  "/setup",
  "/invite",
  "/reset",
  "/w/*",
  "/account",
  "/account/*",
  "/admin",
  "/admin/*",
];

/** Scripts, styles and fonts of ours only. Styles set from a script through the CSSOM need no 'unsafe-inline'. `blob:` is for
 *  sound and documents that a page made or received; `connect-src` holds for requests, event streams and sockets of this host. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const pageHeaders = {
  "content-security-policy": policy,
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache",
};

const types: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
  pdf: "application/pdf",
};

interface BuiltFile {
  readonly path: string;
  readonly type: string;
  readonly encodings: readonly string[];
  readonly tag: string;
}

const route = { config: { scope: "open" }, schema: { hide: true } as object };

/** Serves the dashboard's application: its page at every address of it, and its files. */
export function servePages(app: HttpApp, folder = builtPages()): void {
  const files = findFiles(folder);
  const start = files.get("/index.html");
  const sendStart = (request: FastifyRequest, reply: FastifyReply) =>
    start ? sendFile(request, reply.headers(pageHeaders), start) : sendPage(reply, notBuilt);
  for (const address of addresses) app.get(address, route, sendStart);
  // Only names that are there: no path of a request ever reaches the disk.
  for (const [address, file] of files) {
    if (address === "/index.html") continue;
    // The build puts a hash into the names of what is under /assets, so they never change.
    const caching = address.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    app.get(address, route, (request, reply) => sendFile(request, reply.header("cache-control", caching), file));
  }
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): Promise<FastifyReply> {
  reply.header("etag", file.tag).header("vary", "accept-encoding");
  if (request.headers["if-none-match"] === file.tag) return reply.code(304).send();
  const accepted = request.headers["accept-encoding"] ?? "";
  const encoding = file.encodings.find((name) => new RegExp(`\\b${name}\\b`).test(accepted));
  reply.type(file.type);
  if (encoding) reply.header("content-encoding", encoding);
  return reply.send(await readFile(file.path + (encoding ? endings[encoding] : "")));
}

const endings: Record<string, string> = { br: ".br", gzip: ".gz" };

function findFiles(folder: string): Map<string, BuiltFile> {
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
    // Nothing is built: the start page says so, and the APIs work.
  }
  return found;
}

const notBuilt = page(
  "Parlance",
  "<h1>Parlance</h1><p>The dashboard's pages are not built. Run <code>npm run build</code> and start the server again. The APIs work without them.</p>",
);
