import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksModels } from "../support/local-speech.ts";
import { whyNoHearing } from "../support/speech-clips.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const root = resolve(import.meta.dirname, "../..");
const guides = join(root, "docs", "guides");
const run = promisify(execFile);

interface Example {
  guide: string;
  language: string;
  code: string;
  /** What it must print, from the comments after it. */
  prints: string[];
}

/** Every block of code in a guide, as it stands there. */
const examples: Example[] = readdirSync(guides).flatMap((guide) =>
  [
    ...readFileSync(join(guides, guide), "utf8").matchAll(
      /^```(sh|ts|python)\n(.*?)^```\n((?:<!-- prints: [^\n]* -->\n)*)/gms,
    ),
  ].map(([, language, code, after]) => ({
    guide,
    language: language!,
    code: code!,
    prints: [...after!.matchAll(/<!-- prints: (.*) -->/g)].map(([, words]) => words!),
  })),
);

const lacking =
  whyNoHearing() ?? (lacksModels("kokoro-82m") || lacksModels("tinyllama-1b") ? "models are missing" : "");
if (lacking) console.warn(`the guides are not run: ${lacking}`);
const hasPython = spawnSync("python3", ["--version"]).status === 0;

it("the guides show every task in all three languages", () => {
  const names = ["speech-to-text", "text-to-speech", "translate", "chat", "gateway", "extraction", "streaming"];
  for (const name of [...names, "keys-and-limits"]) {
    const own = examples.filter(({ guide }) => guide === `${name}.md`).map(({ language }) => language);
    expect([...new Set(own)].sort(), name).toEqual(["python", "sh", "ts"]);
  }
});

describe.skipIf(lacking !== "")("the guides' examples work as they stand", () => {
  let server: TestServer;
  let folder: string;
  let env: Record<string, string>;
  const outputs = new Map<Example, string>();

  beforeAll(async () => {
    server = await startServer();
    folder = mkdtempSync(join(tmpdir(), "parlance-guides-"));
    mkdirSync(join(folder, "docs"));
    cpSync(join(root, "docs", "examples"), join(folder, "docs", "examples"), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const admin = await server.newKey(["admin"]);
    env = { PATH: process.env.PATH!, HOME: folder, URL: server.url, KEY: server.key, ADMIN_KEY: admin.key };
    await runTypeScript();
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** One process for all of them: starting it takes longer than any of them. */
  async function runTypeScript(): Promise<void> {
    const own = examples.filter(({ language }) => language === "ts");
    for (const [index, { code }] of own.entries()) writeFileSync(join(folder, `example-${index}.mts`), code);
    const steps = own.map(
      (_, index) =>
        `console.log("== ${index}");\nawait import("./example-${index}.mts").catch((error) => console.log(error));`,
    );
    writeFileSync(join(folder, "all.mts"), steps.join("\n"));
    const loader = join(root, "node_modules", "tsx", "dist", "loader.mjs");
    const { stdout } = await run(process.execPath, ["--import", loader, "all.mts"], { cwd: folder, env });
    for (const [index, example] of own.entries()) {
      outputs.set(example, stdout.split(`== ${index}\n`)[1]!.split(/^== \d+$/m)[0]!);
    }
  }

  const runnable = examples.filter(({ language }) => language !== "python" || hasPython);
  it.each(
    runnable.map(
      (example) => [`${example.guide}, ${example.language}: ${example.prints.join(", ")}`, example] as const,
    ),
  )("%s", async (_, example) => {
    const { language, code, prints } = example;
    if (language === "sh") outputs.set(example, (await run("bash", ["-ec", code], { cwd: folder, env })).stdout);
    if (language === "python") {
      writeFileSync(join(folder, "example.py"), code);
      outputs.set(example, (await run("python3", ["example.py"], { cwd: folder, env })).stdout);
    }
    for (const words of prints) expect(outputs.get(example)).toContain(words);
  });
});
