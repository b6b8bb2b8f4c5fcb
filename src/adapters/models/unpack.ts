import {
  closeSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar";
import { type Entry, open, type ZipFile } from "yauzl";
import { Problem } from "../../platform/errors.ts";
import { bunzip2 } from "./bunzip2.ts";
import { freeOf } from "./disk-room.ts";

/** Weights hardly shrink; what grows more than this is no model. */
const mostGrowth = 50;
const alwaysAllowed = 8e6;
/** The largest we know of, with the data of a speech synthesiser, has some 400. */
const mostFiles = 5000;

/** Unpacks tar, tar.gz, tar.bz2 or zip into a folder that exists, and gives the folder with the files: below the one that holds
 *  everything else, where there is one. Whatever climbs out of it, links, or grows without end is refused as a whole. Nothing that
 *  is unpacked is run. */
export async function unpackArchive(archive: string, into: string): Promise<string> {
  const size = statSync(archive).size;
  const guard = new Guard(Math.min(alwaysAllowed + mostGrowth * size, freeOf(into)));
  const kind = kindOf(archive);
  if (!kind)
    throw new Problem("invalid_request", `${archive} is no archive of a known kind (tar, tar.gz, tar.bz2, zip).`);
  try {
    if (kind === "zip") await unpackZip(archive, into, guard);
    else await unpackTar(archive, into, kind, guard);
  } catch (cause) {
    if (guard.violation) throw guard.violation;
    if (cause instanceof Problem) throw cause;
    throw new Problem("invalid_request", `${archive} is damaged and cannot be unpacked.`, { cause });
  }
  if (guard.violation) throw guard.violation;
  const [only, ...others] = readdirSync(into, { withFileTypes: true });
  if (!only) throw new Problem("invalid_request", `${archive} is empty or damaged.`);
  return others.length === 0 && only.isDirectory() ? join(into, only.name) : into;
}

type ArchiveKind = "tar" | "tar.gz" | "tar.bz2" | "zip";

/** By its first bytes, whatever it is called. */
export function kindOf(path: string): ArchiveKind | undefined {
  const head = Buffer.alloc(262);
  const file = openSync(path, "r");
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  if (head.toString("latin1", 0, 3) === "BZh") return "tar.bz2";
  if (head[0] === 0x1f && head[1] === 0x8b) return "tar.gz";
  if (head.toString("latin1", 0, 4) === "PK\x03\x04") return "zip";
  return head.toString("latin1", 257, 262) === "ustar" ? "tar" : undefined;
}

/** Keeps count, and the first thing that is wrong. */
class Guard {
  violation: Problem | undefined;
  readonly #mostBytes: number;
  #bytes = 0;
  #files = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Whether so many more bytes are too many. */
  grow(bytes: number): boolean {
    this.#bytes += bytes;
    if (this.#bytes > this.#mostBytes)
      this.#refuse("unpacks to far more than a model holds, or than the disk has room for");
    return this.violation === undefined;
  }

  enter(path: string, isPlain: boolean): boolean {
    this.#files += 1;
    if (this.#files > mostFiles) this.#refuse(`holds more than ${mostFiles} files`);
    else if (!isInside(path)) this.#refuse(`holds a file that would lie outside its folder ("${path.slice(0, 80)}")`);
    else if (!isPlain) this.#refuse(`holds a link or a device ("${path.slice(0, 80)}")`);
    return this.violation === undefined;
  }

  #refuse(reason: string): void {
    this.violation ??= new Problem("invalid_request", `The archive ${reason}. Nothing of it was kept.`);
  }
}

function isInside(path: string): boolean {
  return !/^([/\\]|[A-Za-z]:)|\0|\\/.test(path) && !path.split("/").includes("..");
}

async function unpackTar(archive: string, into: string, kind: ArchiveKind, guard: Guard): Promise<void> {
  const source = kind === "tar.bz2" ? readBzip2(archive) : createReadStream(archive);
  const stages: (Readable | Transform | NodeJS.ReadWriteStream)[] = [source];
  if (kind === "tar.gz") stages.push(createGunzip());
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (guard.grow(chunk.length)) done(null, chunk);
      else done(guard.violation);
    },
  });
  const plainTypes = ["File", "OldFile", "ContiguousFile", "Directory"];
  const unpacked = extract({
    cwd: into,
    strict: true,
    filter: (path, entry) => {
      const type = "type" in entry ? entry.type : "File";
      const isGood = guard.enter(path, plainTypes.includes(type));
      if (!isGood) counted.destroy(guard.violation);
      return isGood;
    },
  });
  await pipeline([...stages, counted, unpacked] as never);
}

function readBzip2(archive: string): Readable {
  const file = openSync(archive, "r");
  const read = () => {
    const bytes = Buffer.allocUnsafe(1024 * 1024);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, null));
  };
  return Readable.from(bunzip2(read), { objectMode: false }).on("close", () => closeSync(file));
}

async function unpackZip(archive: string, into: string, guard: Guard): Promise<void> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    open(archive, { lazyEntries: true, autoClose: false, decodeStrings: true }, (error, opened) =>
      error ? reject(error) : resolve(opened),
    );
  });
  try {
    for (;;) {
      const entry = await nextEntry(zip, guard);
      if (!entry) return;
      const isLink = ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000;
      if (!guard.enter(entry.fileName, !isLink)) throw guard.violation;
      if (entry.fileName.endsWith("/")) continue;
      const target = join(into, entry.fileName);
      mkdirSync(dirname(target), { recursive: true });
      const stream = await new Promise<Readable>((resolve, reject) => {
        zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened)));
      });
      stream.on("data", (chunk: Buffer) => {
        if (!guard.grow(chunk.length)) stream.destroy(guard.violation);
      });
      await pipeline(stream, createWriteStream(target));
    }
  } finally {
    zip.close();
  }
}

function nextEntry(zip: ZipFile, guard: Guard): Promise<Entry | undefined> {
  return new Promise((resolve, reject) => {
    const onEntry = (entry: Entry) => settle(() => resolve(entry));
    const onEnd = () => settle(() => resolve(undefined));
    // yauzl itself refuses names that climb out.
    const onError = (error: Error) =>
      settle(() => {
        if (/relative path|absolute path|invalid characters/.test(error.message)) guard.enter("..", true);
        reject(error);
      });
    const settle = (act: () => void) => {
      zip.off("entry", onEntry).off("end", onEnd).off("error", onError);
      act();
    };
    zip.once("entry", onEntry).once("end", onEnd).once("error", onError);
    zip.readEntry();
  });
}
