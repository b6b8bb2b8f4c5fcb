import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { packageRoot } from "../../platform/package-root.ts";
import type { Model } from "./catalog.ts";
import { isWanted, readCatalog } from "./catalog.ts";
import { createModelStore, findDamaged, folderForProcessor, isComplete, isTuned } from "./model-folder.ts";
import { type DeriveStep, pullModel } from "./pull.ts";

const content = Buffer.from("weights ".repeat(1000));
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
let server: http.Server;
let url: string;
let modelsDir: string;
const ranges: (string | undefined)[] = [];

beforeAll(async () => {
  server = http.createServer((request, reply) => {
    const { range } = request.headers;
    ranges.push(range);
    const from = Number(/bytes=(\d+)-/.exec(range ?? "")?.[1] ?? 0);
    reply.writeHead(range ? 206 : 200).end(content.subarray(from));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());
beforeEach(() => {
  modelsDir = mkdtempSync(join(tmpdir(), "parlance-models-"));
  ranges.length = 0;
  return () => rmSync(modelsDir, { recursive: true, force: true });
});

function toyModel(change: Partial<Model> = {}): Model {
  return {
    id: "toy",
    title: "Toy",
    capability: "test",
    isDefault: true,
    licence: { name: "MIT", isPermissive: true },
    source: { https: url },
    files: [{ path: "weights.bin", from: "weights.bin", bytes: content.length, sha256: sha256(content) }],
    derived: [],
    ...change,
  };
}

function pull(model: Model, steps: Record<string, DeriveStep> = {}) {
  return pullModel(model, { modelsDir, steps, onProgress() {}, pauseMs: 1 });
}

describe("pulling a model", () => {
  it("brings its files, checks them and says that it is complete", async () => {
    const model = toyModel();
    const store = createModelStore(modelsDir, [model]);
    expect(store.missing("toy")).toMatch(/parlance models pull toy/);
    await pull(model);
    expect(readFileSync(join(store.folder("toy"), "weights.bin"))).toEqual(content);
    expect(store.missing("toy")).toBeUndefined();
  });

  it("goes on where an earlier download stopped", async () => {
    const model = toyModel();
    await pull(model);
    rmSync(join(modelsDir, "toy", "weights.bin"));
    writeFileSync(join(modelsDir, "toy", "weights.bin.partial"), content.subarray(0, 3000));
    await pull(model);
    expect(ranges.at(-1)).toBe("bytes=3000-");
    expect(isComplete(modelsDir, model)).toBe(true);
  });

  it("refuses a file that is not what it should be, and leaves nothing under its name", async () => {
    const model = toyModel({ files: [{ path: "weights.bin", bytes: content.length, sha256: "0".repeat(64) }] });
    await expect(pull(model)).rejects.toThrow(/sha256/);
    expect(existsSync(join(modelsDir, "toy", "weights.bin"))).toBe(false);
  });

  it("cuts a file out of a larger one", async () => {
    const part = content.subarray(8, 24);
    const model = toyModel({ files: [{ path: "part", from: "all", slice: [8, 24], bytes: 16, sha256: sha256(part) }] });
    await pull(model);
    expect(readFileSync(join(modelsDir, "toy", "part"))).toEqual(part);
  });

  it("takes files that are part of this repository, and checks them like all others", async () => {
    const bytes = readFileSync(join(packageRoot(), "models", "kokoro-ranges.json"));
    const file = { path: "kokoro-ranges.json", bytes: bytes.length, sha256: sha256(bytes) };
    const model = toyModel({ source: { repository: "models" }, files: [file] });
    await pull(model);
    expect(readFileSync(join(modelsDir, "toy", file.path))).toEqual(bytes);
    rmSync(join(modelsDir, "toy"), { recursive: true });
    await expect(pull({ ...model, files: [{ ...file, sha256: "0".repeat(64) }] })).rejects.toThrow(/sha256/);
  });

  it("takes the files from the mirror when the source does not answer, and tells of the source when neither does", async () => {
    const source = { https: "http://127.0.0.1:9/nobody/" };
    const file = { path: "weights.bin", from: "elsewhere/weights.bin", bytes: content.length, sha256: sha256(content) };
    await pull(toyModel({ source, mirror: { https: url }, files: [file] }));
    expect(readFileSync(join(modelsDir, "toy", "weights.bin"))).toEqual(content);
    const wrong = { ...file, path: "other.bin", sha256: "0".repeat(64) };
    await expect(pull(toyModel({ source, mirror: { https: url }, files: [wrong] }))).rejects.toThrow(
      /127.0.0.1:9 does not answer/,
    );
  });

  it("makes derived files once, and again when the step has changed", async () => {
    let made = 0;
    const steps: Record<string, DeriveStep> = {
      shout: async ({ folder }) => {
        made += 1;
        writeFileSync(join(folder, "loud.bin"), readFileSync(join(folder, "weights.bin"), "utf8").toUpperCase());
      },
    };
    const derived = { step: "shout", version: 1, inputs: ["weights.bin"], outputs: ["loud.bin"] };
    await pull(toyModel({ derived: [derived] }), steps);
    await pull(toyModel({ derived: [derived] }), steps);
    expect(made).toBe(1);
    await pull(toyModel({ derived: [{ ...derived, version: 2 }] }), steps);
    expect(made).toBe(2);
    const model = toyModel({ derived: [{ ...derived, version: 2 }] });
    expect(await findDamaged(modelsDir, model)).toEqual([]);
    for (const path of ["weights.bin", "loud.bin"]) {
      writeFileSync(join(modelsDir, "toy", path), "x".repeat(content.length));
    }
    expect(await findDamaged(modelsDir, model), "same size, other bytes").toEqual(["weights.bin", "loud.bin"]);
    rmSync(join(modelsDir, "toy", "weights.bin"));
    expect(await findDamaged(modelsDir, model), "what is not here").toEqual(["loud.bin"]);
  });
});

describe("files that depend on the processor", () => {
  const derived = { step: "tune", version: 1, inputs: ["weights.bin"], outputs: ["graph.bin"], perProcessor: true };
  const toModel = (version = 1) => toyModel({ derived: [{ ...derived, version }] });
  let isBetterHere = true;
  const tune: DeriveStep = async ({ places }) => {
    writeFileSync(join(places.portable, "graph.bin"), "right everywhere");
    if (isBetterHere) writeFileSync(join(places.tuned, "graph.bin"), `quick on ${basename(places.tuned)}`);
  };
  const pullOn = (processor: string, version = 1) =>
    pullModel(toModel(version), { modelsDir, steps: { tune }, onProgress() {}, processor });
  const usedOn = (processor: string) => {
    const folder = folderForProcessor(join(modelsDir, "toy"), "graph.bin", processor);
    return readFileSync(join(folder, "graph.bin"), "utf8");
  };
  const isTunedFor = (processor: string) => isTuned(join(modelsDir, "toy"), toModel(), derived, processor);

  it("are those of this kind of processor, and on another kind those that are right on all", async () => {
    isBetterHere = true;
    await pullOn("x64-vnni");
    expect([usedOn("x64-vnni"), usedOn("x64")]).toEqual(["quick on x64-vnni", "right everywhere"]);
    expect([isComplete(modelsDir, toModel()), isTunedFor("x64-vnni"), isTunedFor("x64")]).toEqual([true, true, false]);
    expect(await findDamaged(modelsDir, toModel(), "x64-vnni")).toEqual([]);
    writeFileSync(join(modelsDir, "toy", "x64-vnni", "graph.bin"), "QUICK ON x64-vnni");
    expect(await findDamaged(modelsDir, toModel(), "x64-vnni")).toEqual([join("x64-vnni", "graph.bin")]);
    expect(await findDamaged(modelsDir, toModel(), "x64")).toEqual([]);
  });

  it("are made for the second machine of a shared folder when it pulls, beside those of the first", async () => {
    isBetterHere = true;
    await pullOn("x64-vnni");
    isBetterHere = false;
    await pullOn("x64");
    expect([usedOn("x64-vnni"), usedOn("x64")]).toEqual(["quick on x64-vnni", "right everywhere"]);
    expect(isTunedFor("x64")).toBe(true);
  });

  it("go with the step they were made by, for every processor, and the engine says which command makes them anew", async () => {
    isBetterHere = true;
    await pullOn("x64-vnni");
    expect(createModelStore(modelsDir, [toModel(2)]).missing("toy")).toMatch(/parlance models pull toy/);
    isBetterHere = false;
    await pullOn("x64", 2);
    expect(usedOn("x64-vnni"), "nothing of the former step").toBe("right everywhere");
    expect(createModelStore(modelsDir, [toModel(2)]).missing("toy")).toBeUndefined();
  });
});

describe("the catalog", () => {
  it("lets a setting decide which of several models is fetched", () => {
    const chosenBy = { setting: "SVC_SIZE", values: ["base"] };
    const model = toyModel({ isDefault: false, chosenBy });
    expect(isWanted(model, {})).toBe(false);
    expect(isWanted(model, { SVC_SIZE: "base" })).toBe(true);
    expect(isWanted({ ...model, isDefault: true }, { SVC_SIZE: "off" })).toBe(false);
    expect(isWanted(toyModel(), { SVC_SIZE: "off" })).toBe(true);
  });

  it("names a licence, a source and a hash for every file, and every id once", () => {
    const catalog = readCatalog();
    expect(new Set(catalog.map(({ id }) => id)).size).toBe(catalog.length);
    for (const model of catalog) {
      expect(model.licence.name).not.toBe("");
      // What people add themselves is pinned at its first download where no hash is known.
      for (const file of model.files) expect(file.sha256 ?? model.isExtra).toBeTruthy();
    }
  });
});
