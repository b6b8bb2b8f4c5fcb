import { readTable } from "./read-table.ts";

/** What a country writes on its documents. */
export interface Country {
  readonly ibanLength: number | undefined;
  /** Its account numbers have no letters. */
  readonly hasDigitsOnly: boolean;
  /** Its VAT numbers, behind its letters. */
  readonly vat: RegExp | undefined;
  /** Which rule of stdnum holds for their digits. */
  readonly vatRule: string;
  readonly currency: string;
}

/** By its letters; Greek tax numbers begin with EL, Swiss ones with CHE. */
export const countries: ReadonlyMap<string, Country> = new Map(
  readTable("reading/countries.tsv").map((row): [string, Country] => {
    const [letters, iban, vat, vatRule, currency] = row as [string, string, string, string, string];
    const ibanLength = Number.parseInt(iban, 10) || undefined;
    const shape = vat === "" ? undefined : new RegExp(`^(?:${vat})$`);
    return [letters, { ibanLength, hasDigitsOnly: iban.endsWith("digits"), vat: shape, vatRule, currency }];
  }),
);
