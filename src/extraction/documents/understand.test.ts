import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { drawInvoice, languages, sampleInvoice } from "../../../tests/support/made-up-invoice.ts";
import { textPage } from "../../../tests/support/text-page.ts";
import { createEngineHost } from "../../adapters/engines/host/create-engine-host.ts";
import { silentLog } from "../../platform/log.ts";
import { sealDocument } from "../../ports/document-reader.ts";
import { understand } from "./understand.ts";
import { createUnderstanding } from "./understanding.ts";

const host = createEngineHost({
  name: "document-understanding",
  module: fileURLToPath(new URL("../../main/understanding-child.ts", import.meta.url)),
  settings: () => ({}),
  log: silentLog,
});
afterAll(() => host.close());
const understanding = createUnderstanding(host);
const drawn = drawInvoice(sampleInvoice, languages.us!, "beside");
const document = sealDocument(drawn);
const turn = { key: "key_1", signal: new AbortController().signal };

it("a document is understood in a process of its own, with the same result", async () => {
  expect((await understanding.understand({ document }, turn)).data).toEqual(understand({ document: drawn }).data);
});

it("is given up when nobody wants it any more", async () => {
  const abort = new AbortController();
  const understood = understanding.understand({ document }, { ...turn, signal: abort.signal });
  abort.abort(new Error("gone"));
  await expect(understood).rejects.toThrow("gone");
});

it.each([
  ["explicit keys", "? ".repeat(20_000)],
  ["lists", "- ".repeat(20_000)],
  ["brackets", "[".repeat(50_000)],
  ["braces", "{a: ".repeat(20_000)],
])("a template of %s without end is refused and stops nobody", async (_name, text) => {
  await expect(understanding.parseTemplate(text, turn)).rejects.toMatchObject({ kind: "invalid_request" });
  expect((await understanding.understand({ document }, turn)).document_type).toBe("invoice");
});

it.each(["__proto__.zz.b", "constructor", "a.prototype.b"])("a field called %s is refused", async (name) => {
  const template = { name: "bad", fields: [{ name, labels: ["Total"] }] };
  await expect(understanding.parseTemplate(template, turn)).rejects.toThrow("reserve for themselves");
});

it("a template that names words of its documents is used for those that have them, and for no others", () => {
  const definition = (word: string) => ({
    name: "Own",
    match: { all: [word] },
    fields: [{ name: "reference", type: "string" as const, required: false, labels: ["Invoice #"] }],
  });
  const matching = [
    { id: "tpl_other", version: 1, definition: definition("nowhere to be found") },
    { id: "tpl_own", version: 3, definition: definition("invoice") },
  ];
  const found = understand({ document: drawn, matching });
  expect(found).toMatchObject({ template: { id: "tpl_own", version: 3 }, data: { reference: sampleInvoice.number } });
  expect(understand({ document: drawn, matching: matching.slice(0, 1) })).not.toHaveProperty("template");
});

const page = (supplier: string, number: string): [number, number, string][] => [
  [0.08, 0.05, supplier],
  [0.08, 0.065, "4 Mill Lane"],
  [0.08, 0.08, "Leeds LS1 4DY"],
  [0.6, 0.05, "INVOICE"],
  [0.6, 0.08, "Invoice number"],
  [0.8, 0.08, number],
  [0.6, 0.1, "Invoice date"],
  [0.8, 0.1, "12 Feb 2024"],
  [0.6, 0.5, "Total due"],
  [0.8, 0.5, "£120.00"],
];
const [kestrel, harbor] = [page("Kestrel Freight Ltd", "A-100"), page("Harbor Print LLP", "B-200")].map((lines) =>
  textPage(lines),
);
const both = { ...kestrel!, pages: [kestrel!.pages[0]!, { ...harbor!.pages[0]!, number: 2 }] };
const own = {
  name: "Own",
  match: { any: ["Kestrel"] },
  fields: [{ name: "reference", type: "string" as const, required: false, labels: ["Invoice number"] }],
};

it("a template reads each of several documents in one file by itself", () => {
  const found = understand({ document: both, definition: own });
  expect(found.data).toMatchObject({ reference: "A-100" });
  expect(found.documents).toMatchObject([
    { pages: [1, 1], data: { reference: "A-100" } },
    { pages: [2, 2], data: { reference: "B-200" }, fields: { reference: { page: 2 } } },
  ]);
});

it("of several documents in one file only those that fit a template are read by it", () => {
  const found = understand({ document: both, matching: [{ id: "tpl_own", version: 1, definition: own }] });
  expect(found).toMatchObject({ template: { id: "tpl_own" }, data: { reference: "A-100" } });
  expect(found.documents?.[1]?.data).toMatchObject({ invoice_number: "B-200", grand_total: 120 });
});
