import { table } from "../../platform/table.ts";
import type { PhraseIndex } from "../reading/labels.ts";
import { tokenize } from "../reading/normalize.ts";
import { columnIndex, fieldIndex, movementIndex, partyIndex, statementIndex, words } from "../reading/words.ts";
import { findStandard, type StandardField, standardColumn } from "../templates/standard-fields.ts";
import type { Leaf, ObjectNode, SchemaNode } from "./parse-schema.ts";

/** `customerName`, `customer_name` and `customer-name` are "customer name". */
export function asWords(name: string): string {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/[_.\s-]+/g, " ")
    .trim();
}

/** "The number of the invoice, as printed." begins with "number of the invoice". */
function firstClause(description: string): string {
  const clause = /^[^.,;:(\n]*/.exec(description)![0].replace(/^\s*(?:the|a|an)\s+/i, "");
  return clause.split(/\s+/).length <= 6 ? clause.trim() : "";
}

/** What a property may be called: its labels, which other words may stand for too, its name, its title, and what its description begins with. */
function calls(name: string, { title, description, labels }: SchemaNode): string[] {
  return [...new Set([...labels, asWords(name), title.trim(), firstClause(description)])].filter((text) => text !== "");
}

/** The letters by which the lists of words know a phrase. */
export function lettersOf(text: string): string {
  return tokenize(text)
    .map((token) => token.text)
    .join("");
}

function meansIn<Name extends string>(index: PhraseIndex<Name>, text: string): Name[] {
  return (index.exact.get(lettersOf(text)) ?? []).map(({ name }) => name);
}

/** What a caller calls a property, alone and together with the object that it is in. */
export function namesOf({ steps, parents, node }: Leaf): string[] {
  const own = calls(steps.at(-1)!, node);
  const owner = steps.at(-2);
  if (owner === undefined) return own;
  const ownerNames = calls(owner, ownerNode(parents, owner));
  const joined = ownerNames.flatMap((before) => own.map((name) => `${before} ${name}`));
  // "shipping.total" is no total: only an object that means nothing by itself, such as "header", leaves its properties their names.
  return ownerNames.some(hasMeaning) ? joined : [...joined, ...own];
}

function ownerNode(parents: readonly ObjectNode[], owner: string): SchemaNode {
  return parents.at(-2)!.properties.find(({ name }) => name === owner)!.node;
}

function hasMeaning(name: string): boolean {
  return roleOf(name) !== undefined || meansIn(fieldIndex, name).some((meaning) => !meaning.startsWith("title."));
}

function roleOf(name: string): "seller" | "buyer" | undefined {
  const standard = findStandard(name)?.path;
  if (standard === "seller.name" || standard === "buyer.name") return standard.slice(0, -5) as "seller";
  return meansIn(partyIndex, name).find((role) => role === "seller" || role === "buyer") as "seller" | undefined;
}

/** Where the words of `extraction/words` stand in the result of an invoice. */
const placesOfMeanings: Record<string, string> = table({
  prepaid: "prepaid_total",
  discount: "discount_total",
  shipping: "shipping_total",
  vat_id: "seller.vat_id",
});

/** What the fields of an invoice are called on other kinds of document. */
const elsewhere: Record<string, Record<string, string>> = table({
  receipt: table({
    grand_total: "total",
    amount_due: "total",
    issue_date: "date",
    "seller.name": "company",
    "seller.address": "address",
    tax_total: "tax",
    currency: "currency",
  }),
  bank_statement: table({ iban: "account_number", currency: "currency", "buyer.name": "account_holder" }),
});

/** Which fields of a kind of document a property may mean, the likeliest first. */
export function placesFor(leaf: Leaf, type: string): string[] {
  const names = namesOf(leaf);
  // A word that may mean several things, such as "reference", waits for what the title and the description say.
  const places = [...names.flatMap(placesOfName), ...names.flatMap((name) => meantBy(name, false))];
  const role = leaf.steps.length > 1 ? roleOf(asWords(leaf.steps.at(-2)!)) : undefined;
  const part = role && partOfParty(leaf.steps.at(-1)!);
  if (role && part) places.unshift({ type: "invoice", path: `${role}.${part}` });
  return [...new Set(places.flatMap((place) => translate(place, type)))];
}

function placesOfName(name: string): StandardField[] {
  const role = roleOf(name);
  const balances = meansIn(statementIndex, name).map((path): StandardField => ({ type: "bank_statement", path }));
  const standard = findStandard(name);
  return [
    ...meantBy(name, true),
    ...balances,
    ...(standard ? [standard] : []),
    ...(role ? [{ type: "invoice" as const, path: `${role}.name` }] : []),
  ];
}

function meantBy(name: string, isStrong: boolean): StandardField[] {
  return (fieldIndex.exact.get(lettersOf(name)) ?? [])
    .filter((phrase) => phrase.isStrong === isStrong && !phrase.name.startsWith("title."))
    .map((phrase) => ({ type: "invoice", path: placesOfMeanings[phrase.name] ?? phrase.name }));
}

function partOfParty(name: string): "name" | "address" | "vat_id" | undefined {
  const text = asWords(name);
  const part = meansIn(partyIndex, text).find((role) => role === "name" || role === "address");
  if (part) return part as "name";
  return findStandard(text)?.path === "seller.vat_id" || meansIn(fieldIndex, text).includes("vat_id")
    ? "vat_id"
    : undefined;
}

function translate({ type, path }: StandardField, wanted: string): string[] {
  if (type === wanted) return [path];
  if (type === "invoice") return [elsewhere[wanted]?.[path] ?? []].flat();
  if (type !== "receipt" || wanted !== "invoice") return [];
  const back = Object.entries(elsewhere.receipt!).find(([, there]) => there === path);
  return back ? [back[0]] : [];
}

/** Words that may stand beside the value on the page: what the schema calls it, and what twenty languages call the same. */
export function labelsFor(leaf: Leaf): string[] {
  const names = namesOf(leaf);
  const meanings = new Set(
    names.flatMap((name) => meansIn(fieldIndex, name)).filter((meaning) => !meaning.startsWith("title.")),
  );
  const synonyms = words
    .filter(({ meaning, isStrong }) => isStrong && meanings.has(meaning))
    .map(({ phrase }) => phrase);
  return [...new Set([...names, ...synonyms])].filter((label) => lettersOf(label).length > 1);
}

/** What a column of a list may be: a name of the built-in lists, by what the schema calls it. */
export function columnRoles(name: string, node: SchemaNode): string[] {
  return [
    ...new Set(
      calls(name, node).flatMap((text) => [
        text.replace(/ /g, "_"),
        ...meansIn(columnIndex, text),
        ...meansIn(movementIndex, text),
        standardColumn(text),
      ]),
    ),
  ];
}

/** Headings that may stand over a column. */
export function headingsFor(name: string, node: SchemaNode): string[] {
  const own = calls(name, node);
  const roles = new Set(own.flatMap((text) => meansIn(columnIndex, text)));
  const synonyms = words
    .filter(({ meaning }) => meaning.startsWith("column.") && roles.has(meaning.slice(7) as never))
    .map(({ phrase }) => phrase);
  return [...new Set([...own, ...synonyms])];
}
