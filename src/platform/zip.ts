import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import { Problem } from "./errors.ts";

export interface ZipLimits {
  readonly maxInflatedBytes: number;
  readonly maxZipEntries: number;
}

const maxRatio = 200;
/** Small parts of mostly white space compress beyond the ratio without being a bomb. */
const ratioMattersAbove = 2 * 1024 * 1024;

/** Lists a ZIP and inflates chosen entries within limits that are enforced while inflating, whatever sizes it declares. */
export interface ZipParts {
  readonly names: readonly string[];
  read(name: string): Promise<Buffer | undefined>;
  close(): void;
}

export async function openZip(bytes: Uint8Array, limits: ZipLimits): Promise<ZipParts> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(buffer, { lazyEntries: true, validateEntrySizes: true }, (error, opened) =>
      error ? reject(unreadable(error)) : resolve(opened),
    );
  });
  if (zip.entryCount > limits.maxZipEntries) {
    throw new Problem(
      "unreadable_document",
      `The file contains ${zip.entryCount} parts; a document may have at most ${limits.maxZipEntries}.`,
    );
  }
  const entries = await listEntries(zip);
  let declared = 0;
  for (const entry of entries.values()) {
    declared += entry.uncompressedSize;
    if (entry.uncompressedSize > ratioMattersAbove && entry.uncompressedSize > entry.compressedSize * maxRatio) {
      throw new Problem("unreadable_document", "A part of the file unpacks to far more than a document holds.");
    }
  }
  if (declared > limits.maxInflatedBytes) {
    throw new Problem("too_large", "The file unpacks to more than a document may hold.");
  }
  let inflated = 0;
  return {
    names: [...entries.keys()],
    read: async (name) => {
      const entry = entries.get(name);
      if (!entry) return undefined;
      const part = await inflate(zip, entry, limits.maxInflatedBytes - inflated);
      inflated += part.length;
      return part;
    },
    close: () => zip.close(),
  };
}

function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>();
    const nameFor = nameApart();
    zip.on("entry", (entry: Entry) => {
      entries.set(nameFor(entry.fileName), entry);
      zip.readEntry();
    });
    zip.on("end", () => resolve(entries));
    zip.on("error", (error) => reject(unreadable(error)));
    zip.readEntry();
  });
}

/** Gives parts of one name names of their own: the second is `name (2)`, before its ending. */
function nameApart(): (name: string) => string {
  const seen = new Map<string, number>();
  return (name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : name.replace(/(\.[^./]*)?$/, ` (${count})$1`);
  };
}

function inflate(zip: ZipFile, entry: Entry, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) return reject(unreadable(error));
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > mostBytes || (size > ratioMattersAbove && size > entry.compressedSize * maxRatio)) {
          stream.destroy();
          reject(new Problem("unreadable_document", "A part of the file unpacks to far more than a document holds."));
          return;
        }
        chunks.push(chunk);
      });
      stream.on("end", () => resolve(Buffer.concat(chunks)));
      stream.on("error", (failure) => reject(unreadable(failure)));
    });
  });
}

function unreadable(cause: unknown): Problem {
  const isOutside = cause instanceof Error && /relative path|absolute path|characters in fileName/.test(cause.message);
  if (isOutside) return new Problem("unreadable_document", "The file has parts whose names lead out of it.", { cause });
  return new Problem("unreadable_document", "The file is damaged: its parts could not be unpacked.", { cause });
}
