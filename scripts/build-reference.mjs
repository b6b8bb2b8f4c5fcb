// Puts the script that draws the API reference into dist/web/reference, once per version of it.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = join(root, "dist", "web", "reference");
const stamp = join(output, ".built-from");

export async function buildReference() {
  const { version } = JSON.parse(
    readFileSync(join(root, "node_modules", "@scalar", "fastify-api-reference", "package.json"), "utf8"),
  );
  mkdirSync(output, { recursive: true });
  copyFileSync(join(root, "web", "reference", "reference.js"), join(output, "reference.js"));
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === version) return;
  const bytes = await readScript();
  writeFileSync(join(output, "scalar.js"), bytes);
  writeFileSync(join(output, "scalar.js.gz"), gzipSync(bytes));
  // 9 of 11: the last steps take ten seconds for two percent.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(join(output, "scalar.js.br"), brotliCompressSync(bytes, { params }));
  writeFileSync(stamp, version);
}

/** The package holds its script inside a Fastify plugin, so a server that nobody can reach is asked for it. */
async function readScript() {
  const [{ default: Fastify }, { default: plugin }] = await Promise.all([
    import("fastify"),
    import("@scalar/fastify-api-reference"),
  ]);
  const app = Fastify();
  await app.register(plugin, { routePrefix: "/reference", configuration: { url: "/openapi.json" } });
  const { statusCode, rawPayload } = await app.inject("/reference/js/scalar.js");
  await app.close();
  if (statusCode !== 200) throw new Error("The API reference's package has no script where it used to be.");
  return rawPayload;
}
