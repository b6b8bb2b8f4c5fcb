import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { sendPage } from "../../platform/http/security-headers.ts";
import { packageRoot } from "../../platform/package-root.ts";

const folder = join(packageRoot(), "web", "call");
const route = { config: { scope: "open" }, schema: { hide: true } as object };

const scripts = [
  ["/call.js", "call.js"],
  ["/call/connect.js", "connect.js"],
] as const;

/** A page to call from: paste a key or a token, press, talk. */
export function addCallPage(app: HttpApp): void {
  app.get("/call", route, async (_request, reply) =>
    sendPage(reply, await readFile(join(folder, "call.html"), "utf8")),
  );
  for (const [path, file] of scripts) {
    app.get(path, route, async (_request, reply) =>
      reply.type("text/javascript; charset=utf-8").send(await readFile(join(folder, file), "utf8")),
    );
  }
}
