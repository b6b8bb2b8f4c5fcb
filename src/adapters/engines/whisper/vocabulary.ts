import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { VOCABULARY } from "./files.ts";

/** The pieces of text that tokens stand for, as bytes: a letter may be spread over several tokens. */
export class Vocabulary {
  readonly #pieces: readonly Uint8Array[];

  private constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces;
  }

  static async load(folder: string): Promise<Vocabulary> {
    const known = z.record(z.string(), z.int()).parse(JSON.parse(await readFile(join(folder, VOCABULARY), "utf8")));
    const bytes = bytesOfCharacters();
    const pieces: Uint8Array[] = [];
    for (const [piece, token] of Object.entries(known)) {
      pieces[token] = Uint8Array.from([...piece].flatMap((character) => bytes.get(character) ?? []));
    }
    return new Vocabulary(pieces);
  }

  bytesOf(token: number): Uint8Array {
    return this.#pieces[token] ?? new Uint8Array(0);
  }

  textOf(tokens: readonly number[]): string {
    return Buffer.concat(tokens.map((token) => this.bytesOf(token)))
      .toString("utf8")
      .replaceAll("\uFFFD", "")
      .trim();
  }
}

/** The file writes bytes as printable characters: those that are not printable follow after the first 256. */
function bytesOfCharacters(): Map<string, number> {
  const bytes = new Map<string, number>();
  let substitute = 256;
  for (let byte = 0; byte < 256; byte++) {
    const isPrintable = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    bytes.set(String.fromCharCode(isPrintable ? byte : substitute++), byte);
  }
  return bytes;
}
