import type { EmbeddedFile } from "../../ports/document-reader.ts";
import { readTable } from "../reading/read-table.ts";
import { allAt, parseXml, type XmlNode } from "../reading/xml-tree.ts";
import type { TaxPart } from "./invoice/taxes.ts";
import type { LineItem } from "./line-items.ts";

export interface PartyData {
  name: string | null;
  address: string | null;
  vat_id: string | null;
}

/** An invoice as its own XML states it. */
export interface EInvoice {
  type: "invoice" | "credit_note";
  invoice_number: string | null;
  issue_date: string | null;
  due_date: string | null;
  purchase_order: string | null;
  currency: string | null;
  seller: PartyData;
  buyer: PartyData;
  net_total: number | null;
  tax_total: number | null;
  grand_total: number | null;
  iban: string | null;
  lines: LineItem[];
  taxes: TaxPart[];
}

/** Where a format keeps each value, by the name of its outermost element: standards, so data and not rules. */
const formats = new Map<string, Map<string, string>>();
for (const [root, name, paths] of readTable("fields/e-invoices.tsv"))
  formats.set(root!, (formats.get(root!) ?? new Map()).set(name!, paths!));

/** UNTDID 1001: credit notes, also self-billed and of factored invoices; and what FatturaPA calls one. */
const creditCodes = ["81", "83", "261", "381", "396", "532", "TD04"];

/** Finds the invoice among embedded files: Factur-X, ZUGFeRD 1 and 2, XRechnung (CII and UBL), FatturaPA. */
export function readEInvoice(files: readonly EmbeddedFile[]): EInvoice | undefined {
  for (const file of files) {
    const root = parseXml(file.text);
    // A credit note of UBL is built like an invoice.
    const format = root && formats.get(root.name === "CreditNote" ? "Invoice" : root.name);
    if (format) return readInvoice(firstOf(root, "FatturaElettronicaBody"), (name) => format.get(name) ?? "");
  }
  return undefined;
}

/** Several bodies are several invoices, of which the first is read. */
function firstOf(root: XmlNode, name: string): XmlNode {
  const first = root.children.find((child) => child.name === name);
  return { ...root, children: root.children.filter((child) => child === first || child.name !== name) };
}

function readInvoice(root: XmlNode, pathsOf: (name: string) => string): EInvoice {
  const text = (name: string, node = root): string | null => textAt(node, pathsOf(name));
  const number = (name: string, node: XmlNode): number | null => numberOf(text(name, node));
  const sum = (name: string): number | null => sumIn(nodesAt(root, pathsOf(name)), text("currency"));
  const party = (role: string): PartyData => {
    const [own] = nodesAt(root, pathsOf(role));
    if (!own) return { name: null, address: null, vat_id: null };
    const lines = pathsOf("party.address")
      .split(",")
      .flatMap((paths) => textAt(own, paths) ?? []);
    const vatId = vatIdIn(nodesAt(own, pathsOf("party.vat_id")));
    return { name: text("party.name", own), address: lines.join(", ") || null, vat_id: vatId };
  };
  return {
    type: root.name === "CreditNote" || creditCodes.includes(text("type") ?? "") ? "credit_note" : "invoice",
    invoice_number: text("invoice_number"),
    issue_date: dateOf(text("issue_date")),
    due_date: dateOf(text("due_date")),
    purchase_order: text("purchase_order"),
    currency: text("currency"),
    seller: party("seller"),
    buyer: party("buyer"),
    net_total: sum("net_total"),
    tax_total: sum("tax_total"),
    grand_total: sum("grand_total"),
    iban: text("iban"),
    lines: nodesAt(root, pathsOf("lines"))
      .map((line) => ({
        description: text("line.description", line),
        quantity: number("line.quantity", line),
        unit_price: number("line.unit_price", line),
        total: number("line.total", line),
      }))
      .filter((line) => line.total !== null || line.quantity !== null),
    taxes: nodesAt(root, pathsOf("taxes")).flatMap((part) => {
      const tax = number("part.tax", part);
      return tax === null ? [] : [{ rate: number("part.rate", part), base: number("part.base", part), tax }];
    }),
  };
}

/** The number that is said to be the one for VAT, or looks like it; others are those of registers. */
function vatIdIn(ids: readonly XmlNode[]): string | null {
  const vat = ids.find((id) => id.attributes.schemeID === "VA") ?? ids.find((id) => /^[A-Z]{2}/.test(textOf(id)));
  return vat ? textOf(vat) : null;
}

/** A sum may be stated in a second currency. Sums by rates, as in FatturaPA, are not the sum of all, and nobody adds them up here. */
function sumIn(nodes: readonly XmlNode[], currency: string | null): number | null {
  const own = nodes.find((node) => node.attributes.currencyID === currency);
  const [only] = nodes.length === 1 ? nodes : [];
  return numberOf(textOf(own ?? only));
}

/** The elements at the first path that leads to any. */
function nodesAt(node: XmlNode, paths: string): XmlNode[] {
  const found = paths.split("|").map((path) => allAt(node, path.split("/")));
  return found.find((nodes) => nodes.length > 0) ?? [];
}

function textAt(node: XmlNode, paths: string): string | null {
  for (const path of paths.split("|")) {
    const parts = path.split("+").flatMap((part) => nodesAt(node, part).map(textOf).find(Boolean) ?? []);
    if (parts.length > 0) return parts.join(" ");
  }
  return null;
}

/** What an element says, its parts included: FatturaPA has the country of a tax number in an element of its own. */
function textOf(node: XmlNode | undefined): string {
  return node ? [node.text.trim(), ...node.children.map(textOf)].join("") : "";
}

function numberOf(text: string | null): number | null {
  const value = text ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}

function dateOf(text: string | null): string | null {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text ?? "");
  return match ? `${match[1]}-${match[2]}-${match[3]}` : null;
}
