import { readdirSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../platform/package-root.ts";
import { indexWhenAsked, makePhrase, type Phrase, type PhraseIndex } from "./labels.ts";
import { fold, remembering } from "./normalize.ts";
import { readTable } from "./read-table.ts";

/** One line of a language's file: what a phrase means, whether it can mean anything else, and how it is written. */
export interface Word {
  readonly meaning: string;
  readonly isStrong: boolean;
  readonly phrase: string;
}

/** `meaning TAB strong|weak TAB phrase`; every file of the folder is a language, so that adding one touches no code. */
export const words: readonly Word[] = readdirSync(join(packageRoot(), "src", "extraction", "words"))
  .filter((file) => file.endsWith(".txt"))
  .flatMap((file) =>
    readTable(`words/${file}`).map(([meaning, strength, phrase], index): Word => {
      if (!phrase || (strength !== "strong" && strength !== "weak"))
        throw new Error(`${file}, entry ${index + 1}: "${meaning}" lacks a strength or a phrase.`);
      return { meaning: meaning!, isStrong: strength === "strong", phrase };
    }),
  );

/** "no" is also written n°, nº or n. */
const variants = (phrase: string): string[] =>
  /\bno\b/i.test(phrase) && phrase.length > 4 ? [phrase, phrase.replace(/\bno\b/i, "n")] : [phrase];

/** The words of a meaning, or of all meanings that begin alike. */
export const wordsOf = (prefix: string): Word[] => words.filter(({ meaning }) => meaning.startsWith(prefix));

/** The phrases of a group of meanings such as `column.`, named without the group. */
function indexOf<Name extends string>(prefix: string): PhraseIndex<Name> {
  return indexWhenAsked(() =>
    wordsOf(prefix).flatMap(({ meaning, isStrong, phrase }) =>
      variants(phrase).map((text): Phrase<Name> => makePhrase(meaning.slice(prefix.length) as Name, text, isStrong)),
    ),
  );
}

const fieldMeanings = new Set([
  ...["invoice_number", "issue_date", "due_date", "delivery_date", "purchase_order", "other_number", "iban", "vat_id"],
  ...["net_total", "tax_total", "grand_total", "amount_due", "prepaid", "discount", "shipping", "rounding"],
  ...["surcharge", "carried"],
]);

/** The title of an invoice is a label of its number too, though a weak one: "Rechnung 4711". */
const numberedTitles = new Set(["title.invoice", "title.credit_note"]);

/** Labels of single values, and the titles of documents, which numbers stand behind. */
export const fieldIndex = indexWhenAsked(() =>
  words
    .filter(({ meaning }) => fieldMeanings.has(meaning) || meaning.startsWith("title."))
    .flatMap(({ meaning, isStrong, phrase }) =>
      variants(phrase).flatMap((text): Phrase[] => [
        makePhrase(meaning, text, isStrong),
        ...(numberedTitles.has(meaning) ? [makePhrase("invoice_number", text, false)] : []),
      ]),
    ),
);
/** What stands on documents of a kind besides their title: "Net pay", "Valid until". */
export const kindIndex = indexOf<string>("kind.");
export type PartyRole = "seller" | "buyer" | "other" | "name" | "address";
export const partyIndex = indexOf<PartyRole>("party.");
export type ColumnRole =
  | "description"
  | "quantity"
  | "unit_price"
  | "total"
  | "tax_rate"
  | "discount"
  | "position"
  | "code"
  | "unit"
  | "date";
export const columnIndex = indexOf<ColumnRole>("column.");
export const statementIndex = indexOf<string>("statement.");
export type MovementRole = "date" | "description" | "debit" | "credit" | "amount" | "balance";
export const movementIndex = indexOf<MovementRole>("movement.");
/** Headings of columns that bills have and accounts of banks have not: "Charges". */
export const billedIndex = indexOf<string>("billed.");
/** Headings over movements that went one way: "Checks paid", "Virements reçus". */
export const sectionIndex = indexOf<"debit" | "credit" | "balance">("section.");

/** Names of months without accents, in every language. */
export const monthNumbers: ReadonlyMap<string, number> = new Map(
  wordsOf("month.").map(({ meaning, phrase }) => [fold(phrase), Number(meaning.slice(6))]),
);

/** Up to this length a word must stand in its own case, with a capital or in capitals: "AB" is a company, "ab" is a preposition. */
const shortWord = 3;
/** From this length on a word may be the end of a compound: "Hauptstraße". */
const shortestEnding = 4;

interface WordPart {
  readonly raw: string;
  readonly folded: string;
  readonly from: number;
}

function partsOf(text: string): WordPart[] {
  return [...text.matchAll(/[\p{L}\p{M}]+|\d+/gu)].map((match) => ({
    raw: match[0],
    folded: fold(match[0]),
    from: match.index,
  }));
}

/** Whether a text holds a word of this meaning; words are compared without dots and blanks, as in "S.r.l." and "SRL". */
function matcher(meaning: string, options: { endings?: boolean; atStart?: boolean; exactShort?: boolean } = {}) {
  const known = new Map<string, Set<string>>();
  let longest = 0;
  // With the first text, not with the start of the server.
  const learn = () => {
    longest = 1;
    for (const { phrase } of wordsOf(meaning)) {
      const parts = partsOf(phrase);
      const joined = joinedOf(parts);
      if (joined === "") continue;
      longest = Math.max(longest, parts.length);
      known.set(joined, (known.get(joined) ?? new Set()).add(parts.map((part) => part.raw).join("")));
    }
  };
  const fits = (joined: string, raw: string, before: string): boolean => {
    const forms = known.get(joined);
    if (!forms) return false;
    if (!options.exactShort || joined.length > shortWord) return true;
    // "Gedimino g. 5" is a street, "G5 Trading" is none.
    if (joined.length === 1) return forms.has(raw);
    const uncapitalised = raw.charAt(0).toLowerCase() + raw.slice(1);
    // "5611 AB" is a Dutch postcode.
    return (
      (forms.has(raw) || forms.has(uncapitalised) || (raw === raw.toUpperCase() && /\p{Lu}/u.test(raw))) &&
      !/\d{4} $/.test(before)
    );
  };
  const test = (text: string): boolean => {
    if (longest === 0) learn();
    const parts = partsOf(text);
    const starts = options.atStart ? Math.min(1, parts.length) : parts.length;
    for (let start = 0; start < starts; start++) {
      let joined = "";
      let raw = "";
      for (let end = start; end < Math.min(parts.length, start + longest); end++) {
        joined += parts[end]!.folded;
        raw += parts[end]!.raw;
        if (fits(joined, raw, text.slice(0, parts[start]!.from))) return true;
      }
      const word = parts[start]!.folded;
      if (!options.endings) continue;
      for (let cut = 1; cut <= word.length - shortestEnding; cut++) if (known.has(word.slice(cut))) return true;
    }
    return false;
  };
  return remembering(test);
}

/** "GmbH", "Sp. z o.o.": what marks the name of a company. */
export const hasLegalForm = matcher("legal_form", { exactShort: true });
/** Whether a text is a legal form and nothing else. */
export function isLegalForm(text: string): boolean {
  return legalForms.has(joinedOf(partsOf(text)));
}
const legalForms = new Set(wordsOf("legal_form").map(({ phrase }) => joinedOf(partsOf(phrase))));
export const hasBusinessWord = matcher("business", { endings: true });
export const isStreetWord = matcher("street", { exactShort: true });
export const hasStreetWord = matcher("street", { endings: true, exactShort: true });
/** "Tel. 0123", "Web: ...": the word comes first, or with a number or a colon; "Sunset Web Design" is a name. */
export const hasContactWord = (text: string): boolean =>
  /\d{3}|:/.test(text) ? mentionsContact(text) : startsContact(text) && !hasLegalForm(text);
const mentionsContact = matcher("contact", { exactShort: true });
const startsContact = matcher("contact", { exactShort: true, atStart: true });
/** "hello@shop.example" greets nobody. */
export const isSalutation = (text: string): boolean => !text.includes("@") && greets(text);
const greets = matcher("salutation", { atStart: true });
export const isClosing = matcher("closing", { atStart: true });
export const endsSection = matcher("section_end", { atStart: true });
export const saysCash = matcher("cash");
export const startsCash = matcher("cash", { atStart: true });
export const saysChange = matcher("change");
export const saysCarried = matcher("carried");
/** "CGST", "SGST": taxes that are charged in halves. */
export const isTaxHalf = matcher("tax_half");
export const isNoSum = matcher("not_sum");
/** "Valid until", "Exp": a date on a slip that is not the day of the purchase. */
export const saysOtherDate = matcher("other_date");
/** "Table", "server": what a bill says of the visit. */
export const startsVisit = matcher("visit", { atStart: true });
export const saysForm = matcher("form_word");
/** "Terms and conditions": a page of them belongs to the document before it. */
export const isTerms = matcher("terms", { atStart: true });
/** "No", "Ref": what stands before a code without being part of it. */
export const leadsCode = matcher("code_lead");
/** "Nr", "č.": a word that nothing but a number follows. */
export const saysNumber = matcher("number_sign");
/** "Your VAT number" is the reader's. */
export const saysYour = matcher("your");
/** "BIC", "sort code": where to pay to, not who is paid. */
export const saysBank = matcher("bank_word");

/** "Page 2", "Seite 2/3": the number of the page, in every language. An abbreviation stands first: "Lindenstr. 2", "Polna str. 2" are houses. */
const pageWords = (fits: (phrase: string) => boolean): string =>
  wordsOf("page")
    .map(({ phrase }) => phrase)
    .filter(fits)
    .join("|");
export const pageNumber = new RegExp(
  `(?:(?<![\\p{L}\\p{M}])(?:${pageWords((phrase) => phrase.length > shortWord)})|^(?:${pageWords((phrase) => phrase.length <= shortWord)}))\\.?\\s*:?\\s*(\\d{1,2})(?!\\d)`,
  "iu",
);

/** A line with a postcode and a town, in the ways that the covered countries write it. */
export const isPostalLine = remembering((text) => text.length <= longestAddress && postcode.test(text));
/** Numbers of a longer text are parts of sentences: a guess. */
const longestAddress = 100;
const postcode = new RegExp(
  wordsOf("postcode")
    .map(({ phrase }) => phrase)
    .join("|"),
  "u",
);

/** A text that begins with a phrase of this meaning; a weak one needs a colon or a dot behind it. */
function beginsWith(meaning: string): RegExp {
  const phrases = wordsOf(meaning).map(({ phrase, isStrong }) => {
    const text = phrase.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/(\\\.)? /g, "$1\\s*");
    return `${text}${isStrong ? "(?!\\p{L})[.:]?" : "\\s?[.:]"}`;
  });
  return new RegExp(`^\\s*(?:${phrases.join("|")})\\s*`, "iu");
}

/** "z. Hd.", "c/o": a person or an office that the letter should reach at whoever is named above. */
export const attention = beginsWith("attention");
/** "Firma:", "M/s": what stands before a name without being part of it. */
export const nameLead = beginsWith("name_lead");

const partyFillers = new Set(wordsOf("party_filler").map(({ phrase }) => fold(phrase)));

/** "Informações do ..." and "... details": what stands around the word for a party without changing its meaning. */
export const isPartyFiller = (text: string): boolean => partsOf(text).every(({ folded }) => partyFillers.has(folded));

const units = new Set(wordsOf("unit").flatMap(({ phrase }) => partsOf(phrase).map(({ folded }) => folded)));

/** "R$ 54.90 un", "2 ks": numbers and what they count or weigh, and no name of anything. */
export const isOnlyUnits = (text: string): boolean =>
  partsOf(text).every(({ folded }) => /^(?:\d+|\p{L})$/u.test(folded) || units.has(folded));

const copies = new Set(wordsOf("copy").map(({ phrase }) => fold(phrase)));

/** "*** KOPIE ***" and nothing else. */
export const isCopy = (text: string): boolean => partsOf(text).length === 1 && copies.has(partsOf(text)[0]!.folded);

const addressTitles = new Set(
  wordsOf("address_title").flatMap(({ phrase }) => partsOf(phrase).map(({ folded }) => folded)),
);

/** "Herrn", "M. et Mme": a line over a name that has no name on it. */
export const isAddressTitle = (text: string): boolean => partsOf(text).every(({ folded }) => addressTitles.has(folded));

const formKeys = new Map(wordsOf("form_key").map(({ phrase, isStrong }) => [joinedOf(partsOf(phrase)), isStrong]));
const longestFormKey = 3;

/** What a form asks for: the whole text, or the end of a heading such as "PROJECT LEADER". */
export function asksForEntry(text: string): "whole" | "end" | undefined {
  const clean = text.replace(/\s?\([^)]*\)\s?[#.]?$/, "").trim();
  if (/(?:^|\s)#$/.test(clean)) return "end";
  const parts = partsOf(clean.replace(/[#.]$/, ""));
  if (formKeys.has(joinedOf(parts))) return "whole";
  for (let count = 1; count <= Math.min(longestFormKey, parts.length); count++)
    if (formKeys.get(joinedOf(parts.slice(-count)))) return "end";
  return undefined;
}

function joinedOf(parts: readonly WordPart[]): string {
  return parts.map(({ folded }) => folded).join("");
}

const countries = new Set(wordsOf("country").map(({ phrase }) => joinedOf(partsOf(phrase))));

/** Whether a text is nothing but a country, a state or a region, or two of them. */
export function isCountry(text: string): boolean {
  const parts = partsOf(text);
  let at = 0;
  while (at < parts.length) {
    let joined = "";
    let next = at;
    for (let end = at; end < Math.min(parts.length, at + 4); end++) {
      joined += parts[end]!.folded;
      if (countries.has(joined)) next = end + 1;
    }
    // "D.E." and other letters between or behind them.
    if (next === at && parts[at]!.folded.length > 2) return false;
    at = Math.max(next, at + 1);
  }
  return parts.some((part) => part.folded.length > 2) || countries.has(joinedOf(parts));
}
