import { join } from "node:path";
import { packageRoot } from "../../package-root.ts";
import { findBuiltFiles, openRoute, sendBuiltFile } from "../built-files.ts";
import type { HttpApp } from "../http-app.ts";
import { escapeHtml } from "../plain-page.ts";

/** The scripts that draw the pages below, for all services. */
export function serveReferenceScripts(app: HttpApp): void {
  for (const [path, file] of findBuiltFiles(join(packageRoot(), "dist", "web", "reference"))) {
    app.get(`/reference${path}`, openRoute, (request, reply) =>
      sendBuiltFile(request, reply.header("cache-control", "no-cache"), file),
    );
  }
}

/** The page of the API reference. What it shows is drawn by a script of ours from `openapi.json` beside it. */
export function renderReferencePage(title: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="icon" href="/icon.svg"></head><body><div id="reference"></div>
<noscript>This page needs JavaScript. The same is in <a href="openapi.json">openapi.json</a>.</noscript>
<script src="/reference/scalar.js"></script><script type="module" src="/reference/reference.js"></script></body></html>`;
}
