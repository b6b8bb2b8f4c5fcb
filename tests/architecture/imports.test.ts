import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const source = resolve(import.meta.dirname, "../../src");

/** Who may import whom. Imports point one way: from the top of this list to its bottom. */
const allowed: Record<string, string[]> = {
  main: [
    "dashboard",
    "voice",
    "gateway",
    "extraction",
    "accounts",
    "limits",
    "credits",
    "audit",
    "adapters",
    "ports",
    "audio",
    "platform",
  ],
  dashboard: ["voice", "gateway", "accounts", "limits", "credits", "audit", "ports", "audio", "platform"],
  voice: ["accounts", "limits", "credits", "ports", "audio", "platform"],
  gateway: ["accounts", "limits", "credits", "audit", "ports", "audio", "platform"],
  extraction: ["accounts", "limits", "credits", "ports", "audio", "platform"],
  accounts: ["limits", "credits", "audit", "ports", "audio", "platform"],
  limits: ["ports", "platform"],
  credits: ["audit", "ports", "audio", "platform"],
  audit: ["ports", "platform"],
  adapters: ["ports", "audio", "platform"],
  ports: ["audio", "platform"],
  audio: ["platform"],
  platform: [],
};

/** From top to bottom: endpoints, the pipeline they share, and what it is made of. */
const gatewayLayers = [
  ...["service.ts", "create-gateway.ts", "reference.ts"],
  ...["ai-sdk", "chat-completions", "embeddings", "rerank", "images", "moderations", "audio", "videos", "realtime"],
  ...["models", "credits", "requests", "report", "local"],
  ...["pipeline", "dialects", "routing", "catalog", "upstreams", "charging", "measures"],
  ...["dialect.ts", "fields.ts", "json.ts"],
];

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesUnder(path);
    return path.endsWith(".ts") && !/\.(test|contract)\.ts$/.test(path) ? [path] : [];
  });
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) => resolve(dirname(file), match[1]!));
}

const folderOf = (path: string) => relative(source, path).split("/")[0]!;

describe("imports", () => {
  it("point one way between the folders of src", () => {
    const wrong = filesUnder(source).flatMap((file) => {
      const from = folderOf(file);
      return importsOf(file)
        .map((target) => ({ from, to: folderOf(target), file: relative(source, file) }))
        .filter(({ to }) => to !== from && !allowed[from]?.includes(to))
        .map(({ to }) => `${relative(source, file)} imports ${to}`);
    });
    expect(wrong).toEqual([]);
  });

  it("of one capability never reach into the insides of another service", () => {
    const wrong = filesUnder(source).filter(
      (file) =>
        ["voice", "gateway", "extraction"].includes(folderOf(file)) &&
        importsOf(file).some((target) => folderOf(target) === "adapters"),
    );
    expect(wrong).toEqual([]);
  });

  it("inside the gateway never run up, nor in circles", () => {
    const layerOf = (path: string) => gatewayLayers.indexOf(relative(join(source, "gateway"), path).split("/")[0]!);
    const files = filesUnder(join(source, "gateway"));
    const inside = new Map(files.map((file) => [file, importsOf(file).filter((target) => files.includes(target))]));
    const up = [...inside].flatMap(([file, targets]) =>
      targets
        .filter((target) => layerOf(target) < layerOf(file) || layerOf(file) < 0)
        .map((target) => `${relative(source, file)} imports ${relative(source, target)}`),
    );
    expect(up).toEqual([]);
    expect(circlesIn(inside).map((path) => relative(source, path))).toEqual([]);
  });
});

/** Files that can be reached from themselves. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  let left = new Map(imports);
  for (;;) {
    // Whoever imports nothing that is left, or is imported by nothing that is left, is in no circle.
    const imported = new Set([...left.values()].flat());
    const kept = [...left].filter(
      ([file, targets]) => imported.has(file) && targets.some((target) => left.has(target)),
    );
    if (kept.length === left.size) return [...left.keys()].sort();
    left = new Map(kept);
  }
}
