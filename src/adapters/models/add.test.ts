import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { localhostCertificate, localhostKey } from "../../../tests/support/localhost-certificate.ts";
import { writeTestGguf } from "../../../tests/support/test-gguf.ts";
import { inspectWeights } from "../../main/inspect-weights.ts";
import { addModel } from "./add.ts";
import { type Model, readCatalog, readModels } from "./catalog.ts";
import { checkRoom } from "./disk-room.ts";
import { findDamaged, isComplete } from "./model-folder.ts";

const gguf = writeTestGguf({ "general.architecture": "llama", "tokenizer.chat_template": "x" });
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
/** Archives of a folder with tokens.txt: whole, with a link to /etc/passwd in it, and 300 MB of nothing. */
const goodTarBz2 =
  "QlpoOTFBWSZTWSQ7bo4AAJd7hMmQAFBAAfeABAFiT55AAACACCAAlISiZECYgMQ2JNBJSNAaDQAANOyDHVPjGpAUSoSQ0eycHjrqSYLRgkEQpwRihArQeQCa7SE1UfopsMZkXUgdcr1tdIlqerrmISBQ8m8+fFK7uzWaBIKl5M4/ETlT6e/QKqRIPxdyRThQkCQ7bo4=";
const linkTarBz2 =
  "QlpoOTFBWSZTWQocp/AAALv7hMmQAEBAAfeABhFub97AAACACDAAuLDKh6ho0AAAAaaGMmmQMmhkGRpgRgkkjKeJA9EDTIGmmh+zC/tr2UeoIAsiIBVvajXWCtW25tSiKiZCByD04Kl7TlnlJu7QnIEF+OM0GDJ82N6apUU4VsFStse0aweohe0pOB0AcyclyWbaZYYfvmmSepzAGIi9QVAqYZzGVvfHeEtcLpkiY0NfmlIIFBdyRThQkAocp/A=";
const bombBz2 =
  "QlpoOTFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1kOCeLfAV+OQADAAAAIIAAwgE1GQqAlqQqAlzFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1kOCeLfAV+OQADAAAAIIAAwgE1GQqAlqQqAlzFBWSZTWXcjn6wAvHRAIMAAEAAACCAAMMwJqmmqQqC2pSFQXi7kinChIQEEDIg=";

let server: https.Server;
let origin: string;
let modelsDir: string;
let files: string;
const before = getGlobalDispatcher();
const asked: (string | undefined)[] = [];

beforeAll(async () => {
  setGlobalDispatcher(new Agent({ connect: { ca: localhostCertificate } }));
  server = https.createServer({ cert: localhostCertificate, key: localhostKey }, (request, reply) => {
    const { range } = request.headers;
    asked.push(range);
    const from = Number(/bytes=(\d+)-/.exec(range ?? "")?.[1] ?? 0);
    const head = { "content-length": gguf.length - from };
    if (request.url === "/whole.gguf") reply.writeHead(range ? 206 : 200, head).end(gguf.subarray(from));
    else if (request.url === "/drops-once.gguf") {
      reply.writeHead(range ? 206 : 200, head);
      if (from > 0) reply.end(gguf.subarray(from));
      else reply.write(gguf.subarray(0, 50), () => whenPartIsHere(() => reply.destroy()));
    } else if (request.url === "/dead.gguf") {
      reply.writeHead(range ? 206 : 200, head);
      if (from > 0) reply.destroy();
      else reply.write(gguf.subarray(0, 50), () => whenPartIsHere(() => reply.destroy()));
    } else if (request.url === "/huge.gguf") reply.writeHead(200, { "content-length": 9e15 }).write("x");
    else reply.writeHead(404).end("no");
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  origin = `https://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  setGlobalDispatcher(before);
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  modelsDir = mkdtempSync(join(tmpdir(), "parlance-add-"));
  files = mkdtempSync(join(tmpdir(), "parlance-files-"));
  asked.length = 0;
  return () => {
    rmSync(modelsDir, { recursive: true, force: true });
    rmSync(files, { recursive: true, force: true });
  };
});

/** A connection must not break off before the client has what came: an aborted body is dropped with what was not read of it. */
function whenPartIsHere(act: () => void): void {
  const timer = setInterval(() => {
    const all = readdirSync(modelsDir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    if (!all.some((one) => statSync(join(one.parentPath, one.name)).size === 50)) return;
    clearInterval(timer);
    act();
  }, 5);
}

const add = (name: string, from?: string, catalog?: Model[]) =>
  addModel(name, from, {
    modelsDir,
    steps: {},
    inspect: inspectWeights,
    onProgress() {},
    pauseMs: 1,
    ...(catalog ? { catalog } : {}),
  });

function file(name: string, bytes: Uint8Array): string {
  const path = join(files, name);
  writeFileSync(path, bytes);
  return path;
}

function entry(change: Partial<Model> = {}): Model {
  return {
    id: "listed",
    title: "Listed",
    capability: "chat",
    isDefault: false,
    isExtra: true,
    licence: { name: "MIT", isPermissive: true },
    source: { https: `${origin}/` },
    files: [{ path: "whole.gguf", from: "whole.gguf", bytes: gguf.length, sha256: sha256(gguf) }],
    derived: [],
    ...change,
  };
}

describe("adding a model", () => {
  it("takes a GGUF by its path, notes its hash, and is there under its name", async () => {
    await add("mine", file("some.gguf", gguf));
    const [model] = readModels(modelsDir, []);
    expect(model).toMatchObject({ id: "mine", capability: "chat", isExtra: true });
    expect(model!.files).toEqual([{ path: "some.gguf", bytes: gguf.length, sha256: sha256(gguf) }]);
    expect(isComplete(modelsDir, model!)).toBe(true);
    writeFileSync(join(modelsDir, "mine", "some.gguf"), Buffer.alloc(gguf.length));
    expect(await findDamaged(modelsDir, model!)).toEqual(["some.gguf"]);
    await expect(add("mine", file("some.gguf", gguf))).rejects.toThrow(/already here. Remove it first/);
  });

  it("goes on where a connection broke off", async () => {
    await add("mine", `${origin}/drops-once.gguf`);
    expect(asked).toEqual([undefined, "bytes=50-"]);
    expect(readFileSync(join(modelsDir, "mine", "drops-once.gguf")).equals(gguf)).toBe(true);
  });

  it("fetches what the catalog lists, and pins at first what has no hash there", async () => {
    await add("listed", undefined, [entry()]);
    expect(existsSync(join(modelsDir, "listed", "whole.gguf"))).toBe(true);
    const unknown = entry({ id: "unknown", files: [{ path: "whole.gguf", from: "whole.gguf" }] });
    const pinned = await add("unknown", undefined, [unknown]);
    expect(pinned.files).toEqual([{ path: "whole.gguf", bytes: gguf.length, sha256: sha256(gguf) }]);
    expect(readModels(modelsDir, [unknown]).find(({ id }) => id === "unknown")!.files[0]!.sha256).toBe(sha256(gguf));
  });

  it("takes the files of a listed model from a folder or an archive, wherever they lie in it", async () => {
    mkdirSync(join(files, "deep"), { recursive: true });
    writeFileSync(join(files, "deep", "whole.gguf"), gguf);
    await add("listed", files, [entry()]);
    expect(existsSync(join(modelsDir, "listed", "whole.gguf"))).toBe(true);
    const other = entry({ id: "zipped" });
    await add("zipped", file("m.zip", zipSync({ "package/whole.gguf": gguf })), [other]);
    expect(readdirSync(join(modelsDir, "zipped"))).toContain("whole.gguf");
  });

  it("unpacks a GGUF from tar.gz, and tar.bz2 as far as telling what is missing", async () => {
    const tar = gzipSync(tarOf("model/some.gguf", gguf));
    await add("packed", file("m.tar.gz", tar));
    expect(readdirSync(join(modelsDir, "packed")).sort()).toEqual([".model.json", "some.gguf"]);
    const onlyTokens = file("m.tar.bz2", Buffer.from(goodTarBz2, "base64"));
    await expect(add("tokens", onlyTokens)).rejects.toThrow(/of no kind that is known here. Found: tokens.txt/);
  });
});

describe("what cannot be added says so in one sentence and leaves nothing behind", () => {
  const listed = (change: Partial<Model>) => [entry(change)];
  const cases: [string, RegExp, () => Promise<unknown>][] = [
    ["a path with nothing at it", /^There is nothing at /, () => add("mine", join(files, "none"))],
    [
      "a folder of something else",
      /of no kind that is known/,
      () => add("mine", file("a.txt", Buffer.from("x")) && files),
    ],
    ["a file that is no GGUF", /is not a GGUF file\.$/, () => add("mine", file("a.gguf", Buffer.from("hello hello")))],
    ["a GGUF that is cut", /is cut short/, () => add("mine", file("a.gguf", gguf.subarray(0, -30)))],
    [
      "an unknown architecture",
      /"skynet"/,
      () => add("mine", file("a.gguf", writeTestGguf({ "general.architecture": "skynet" }))),
    ],
    [
      "an ONNX file that is cut",
      /is cut short or is not ONNX/,
      () => {
        file("model.onnx", Buffer.from([0x3a, 0xff, 0xff, 0x03, 1, 2]));
        file("tokens.txt", Buffer.from("a 1\n"));
        return add("mine", files);
      },
    ],
    ["a name that is none", /^A name has up to 64/, () => add("../up", file("a.gguf", gguf))],
    ["a name that is not in the catalog", /name a source with --from/, () => add("nobody", undefined, [entry()])],
    ["an address without https", /takes a path or an https address/, () => add("mine", "http://localhost/x.gguf")],
    ["a 404", /is not there \(404\)\.$/, () => add("mine", `${origin}/none.gguf`)],
    [
      "a dead connection",
      /broke off after 0\.0 MB, and again at each of 5 tries/,
      () => add("mine", `${origin}/dead.gguf`),
    ],
    ["a server that is not there", /does not answer/, () => add("mine", "https://localhost:9/x.gguf")],
    [
      "a wrong hash",
      /is not what it should be: its sha256 is/,
      () =>
        add(
          "listed",
          undefined,
          listed({ files: [{ path: "whole.gguf", from: "whole.gguf", bytes: gguf.length, sha256: "0".repeat(64) }] }),
        ),
    ],
    ["no disk room", /^This needs .* GB, and the disk of .* GB left\.$/, () => add("mine", `${origin}/huge.gguf`)],
    [
      "an archive that links out",
      /holds a link or a device \("m\/link"\)/,
      () => add("mine", file("l.tar.bz2", Buffer.from(linkTarBz2, "base64"))),
    ],
    [
      "an archive that climbs out",
      /would lie outside its folder \("\.\.\/up\.gguf"\)/,
      () => add("mine", file("c.tar.gz", gzipSync(tarOf("../up.gguf", gguf)))),
    ],
    [
      "an archive with an absolute path",
      /would lie outside its folder/,
      () => add("mine", file("a.tar", tarOf(join(tmpdir(), "up.gguf"), gguf))),
    ],
    [
      "a zip that climbs out",
      /would lie outside its folder/,
      () => add("mine", file("c.zip", zipSync({ "../up.gguf": gguf }))),
    ],
    [
      "a bzip2 bomb",
      /unpacks to far more than a model holds/,
      () => add("mine", file("b.tar.bz2", Buffer.from(bombBz2, "base64"))),
    ],
    [
      "a zip bomb",
      /unpacks to far more than a model holds/,
      () => add("mine", file("b.zip", zipSync({ a: new Uint8Array(20e6) }))),
    ],
    [
      "a damaged archive",
      /is damaged and cannot be unpacked/,
      () => add("mine", file("d.tar.gz", gzipSync(tarOf("a.gguf", gguf)).subarray(0, 60))),
    ],
  ];
  it.each(cases)("%s", async (_what, sentence, act) => {
    await expect(act()).rejects.toThrow(sentence);
    expect(readdirSync(modelsDir)).toEqual([]);
    expect(existsSync(join(modelsDir, "..", "up.gguf"))).toBe(false);
    expect(existsSync(join(tmpdir(), "up.gguf"))).toBe(false);
  });

  it("disk room is counted with some to spare", () => {
    expect(() => checkRoom("/x", 1e9, 1.2e9)).toThrow(/needs 1\.26 GB/);
    checkRoom("/x", 1e9, 2e9);
  });
});

it("every model that can be added has a licence and an https address", () => {
  for (const { id, isExtra, licence, source, archives } of readCatalog().filter((model) => model.isExtra)) {
    expect(isExtra && licence.name !== "", id).toBe(true);
    expect("https" in source || (archives?.length ?? 0) > 0, id).toBe(true);
  }
});

/** A tar archive with one file, whatever its name. */
function tarOf(name: string, bytes: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        0", 148);
  header.write("ustar\0", 257);
  header.write("00", 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, bytes, Buffer.alloc(512 - (bytes.length % 512)), Buffer.alloc(1024)]);
}
