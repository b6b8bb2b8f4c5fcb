import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import type { Vault } from "../../ports/vault.ts";
import type { ExtractionRow, Readable, SealedRow } from "./tables.ts";

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

const columns = {
  fileName: "sealedName",
  schema: "sealedSchema",
  result: "sealedResult",
  corrections: "sealedCorrections",
} as const;
type SealedColumns = Partial<Record<(typeof columns)[keyof Readable], string | null>>;
const names = Object.keys(columns) as (keyof Readable)[];

/** Turns what people can read of an extraction into columns that nobody can without its data key. */
export async function sealRow<Values extends Partial<Readable>>(
  vault: Vault,
  id: string,
  values: Values,
): Promise<Omit<Values, keyof Readable> & SealedColumns> {
  const { fileName, schema, result, corrections, ...rest } = values;
  const sealed: SealedColumns = {};
  for (const [name, value] of Object.entries({ fileName, schema, result, corrections }))
    if (value !== undefined)
      sealed[columns[name as keyof Readable]] = value === null ? null : await sealValue(vault, id, value);
  return { ...rest, ...sealed };
}

/** What was not read from the database, as in lists, is null. */
export async function openRow(vault: Vault, row: SealedRow): Promise<ExtractionRow> {
  const { sealedName, sealedSchema, sealedResult, sealedCorrections, isStored: _, ...rest } = row;
  // Of a former version, and not sealed yet.
  if (sealedName === null) return rest;
  const opened: Record<string, unknown> = {};
  for (const name of names) {
    const sealed = row[columns[name]];
    opened[name] = sealed ? await openValue(vault, row.id, sealed) : null;
  }
  return { ...rest, ...(opened as unknown as Readable) };
}

/** Compressed first: what is sealed cannot be afterwards. */
async function sealValue(vault: Vault, id: string, value: unknown): Promise<string> {
  const text = await deflate(Buffer.from(JSON.stringify(value)));
  return Buffer.from(await vault.seal(id, text)).toString("base64");
}

async function openValue(vault: Vault, id: string, sealed: string): Promise<unknown> {
  const text = await inflate(await vault.open(id, Buffer.from(sealed, "base64")));
  return JSON.parse(text.toString());
}
