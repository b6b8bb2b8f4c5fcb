import { Problem } from "../../platform/errors.ts";
import { openZip, type ZipParts } from "../../platform/zip.ts";
import { defaultReadLimits } from "../../ports/document-reader.ts";

/** A guess: what a person scans in a day, and few enough to be listed in one reply. */
export const mostDocuments = 100;
/** What a document may have that is sent by itself. */
const largestDocument = 20_000_000;

export interface Archive {
  /** The documents by their path in the archive. */
  readonly names: readonly string[];
  /** One document; throws a Problem that concerns it alone. */
  read(name: string): Promise<Buffer>;
  close(): void;
}

/** Opens a ZIP of documents, within the limits that hold for any file. Nothing is written to disk under the names it has. */
export async function openArchive(bytes: Buffer): Promise<Archive> {
  if (bytes.toString("latin1", 0, 2) !== "PK")
    throw new Problem(
      "unsupported_media_type",
      "The file is not a ZIP archive. A single document goes to /v1/extract.",
    );
  const zip = await openZip(bytes, defaultReadLimits);
  try {
    if (zip.names.includes("[Content_Types].xml"))
      throw new Problem("invalid_request", "This is a Word or Excel document. Send it to /v1/extract.");
    const names = zip.names.filter(isDocument);
    if (names.length === 0) throw new Problem("invalid_request", "The archive holds no documents.");
    if (names.length > mostDocuments)
      throw new Problem(
        "too_large",
        `The archive holds ${names.length} documents; at most ${mostDocuments} are taken at once.`,
      );
    return { names, read: (name) => readOne(zip, name), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Not folders, nor what systems leave beside the files of people. */
function isDocument(name: string): boolean {
  return !name.endsWith("/") && !/(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)/i.test(name);
}

async function readOne(zip: ZipParts, name: string): Promise<Buffer> {
  let bytes: Buffer | undefined;
  try {
    bytes = await zip.read(name);
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem("unreadable_document", "The file could not be unpacked.", { cause });
  }
  if (!bytes || bytes.length === 0) throw new Problem("invalid_request", "The file is empty.");
  if (bytes.length > largestDocument)
    throw new Problem("too_large", `The file is larger than ${largestDocument / 1e6} MB.`);
  return bytes;
}
