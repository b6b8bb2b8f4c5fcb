import { join } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { findBuiltFiles, openRoute, sendBuiltFile } from "../platform/http/built-files.ts";
import type { HttpApp } from "../platform/http/create-server.ts";
import { page } from "../platform/http/plain-page.ts";
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

/** Serves the dashboard's application: its page at every address of it, and its files. */
export function servePages(app: HttpApp, folder = builtPages()): void {
  const files = findBuiltFiles(folder);
  const start = files.get("/index.html");
  const sendStart = (request: FastifyRequest, reply: FastifyReply) =>
    start ? sendBuiltFile(request, reply.headers(pageHeaders), start) : sendPage(reply, notBuilt);
  for (const address of addresses) app.get(address, openRoute, sendStart);
  // Only names that are there: no path of a request ever reaches the disk.
  for (const [address, file] of files) {
    if (address === "/index.html") continue;
    // The build puts a hash into the names of what is under /assets, so they never change.
    const caching = address.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    app.get(address, openRoute, (request, reply) =>
      sendBuiltFile(request, reply.header("cache-control", caching), file),
    );
  }
}

const notBuilt = page(
  "Parlance",
  "<h1>Parlance</h1><p>The dashboard's pages are not built. Run <code>npm run build</code> and start the server again. The APIs work without them.</p>",
);
