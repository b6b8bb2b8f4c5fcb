import { describe, expect, it } from "vitest";
import {
  type Arrangement,
  drawInvoice,
  languages,
  sampleInvoice,
  totalsOf,
} from "../../../tests/support/made-up-invoice.ts";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

const arrangements: Arrangement[] = ["beside", "inline", "above"];

describe("an invoice", () => {
  for (const [language, words] of Object.entries(languages)) {
    for (const arrangement of arrangements) {
      it(`in ${language} with labels ${arrangement} gives its number, dates, parties, totals and lines`, () => {
        const { data, document_type } = extractFields(drawInvoice(sampleInvoice, words, arrangement));
        const totals = totalsOf(sampleInvoice);
        expect({ document_type, ...data }).toMatchObject({
          document_type: "invoice",
          invoice_number: sampleInvoice.number,
          issue_date: sampleInvoice.date,
          due_date: sampleInvoice.due,
          purchase_order: sampleInvoice.order,
          seller: { name: sampleInvoice.seller[0] },
          buyer: { name: sampleInvoice.buyer[0] },
          net_total: totals.net,
          tax_total: totals.tax,
          grand_total: totals.gross,
          lines: sampleInvoice.items.map(([description, quantity, unit_price]) => ({
            description,
            quantity,
            unit_price,
            total: quantity * unit_price,
          })),
        });
      });
    }
  }

  it("whose totals do not add up is reported with less confidence", () => {
    const good = drawInvoice(sampleInvoice, languages.us!, "beside");
    const page = good.pages[0]!;
    const bad = {
      ...good,
      pages: [
        {
          ...page,
          lines: page.lines.map((line) =>
            line.text === "$2,310.60"
              ? { ...line, text: "$2,910.60", words: [{ text: "$2,910.60", box: line.box }] }
              : line,
          ),
        },
      ],
    };
    const right = extractFields(good, "invoice").fields.grand_total!;
    const wrong = extractFields(bad, "invoice").fields.grand_total!;
    expect(right.value).toBe(2310.6);
    expect(wrong.confidence).toBeLessThan(right.confidence);
  });

  it("without a due date has null there, not a guess", () => {
    const { data } = extractFields(drawInvoice({ ...sampleInvoice, due: "" }, { ...languages.us!, due: "" }, "beside"));
    expect(data.due_date).toBeNull();
  });

  it("in Greek is read as any other", () => {
    const lines = ["Ελαιόλαδο 5 l|10|38,00|380,00", "Ελιές 1 kg|20|6,50|130,00"].map((line) => line.split("|"));
    const columns = [0.1, 0.4, 0.55, 0.7];
    const { data, document_type } = extractFields(
      textPage([
        [0.1, 0.05, "ΕΛΑΙΩΝΑΣ Α.Ε."],
        [0.1, 0.12, "ΤΙΜΟΛΟΓΙΟ"],
        [0.1, 0.15, "Αριθμός τιμολογίου: ΤΠ-3391"],
        [0.1, 0.17, "Ημερομηνία έκδοσης: 8 Οκτωβρίου 2025"],
        ...["Περιγραφή", "Ποσότητα", "Τιμή", "Σύνολο"].map((text, at) => [columns[at]!, 0.25, text] as const),
        ...lines.flatMap((line, row) => line.map((text, at) => [columns[at]!, 0.28 + row * 0.02, text] as const)),
        [0.1, 0.36, "Καθαρή αξία: 510,00 €"],
        [0.1, 0.38, "ΦΠΑ 24%: 122,40 €"],
        [0.1, 0.4, "Γενικό σύνολο: 632,40 €"],
      ]),
    );
    expect({ document_type, ...data }).toMatchObject({
      document_type: "invoice",
      invoice_number: "ΤΠ-3391",
      issue_date: "2025-10-08",
      net_total: 510,
      tax_total: 122.4,
      grand_total: 632.4,
    });
    expect(data.lines).toHaveLength(2);
  });

  it("may name its buyer on the line right over the list, and its title is no street", () => {
    const { data } = extractFields(
      textPage([
        [0.1, 0.05, "Quillon Prints Ltd"],
        [0.1, 0.07, "9 Mews Row"],
        [0.1, 0.085, "Leeds LS9 9ZZ"],
        [0.1, 0.1, "Invoice 77"],
        [0.1, 0.16, "Bill to: Marrow Foods Inc"],
        [0.1, 0.18, "Item"],
        [0.4, 0.18, "Qty"],
        [0.5, 0.18, "Price"],
        [0.6, 0.18, "Amount"],
        [0.1, 0.2, "Poster"],
        [0.4, 0.2, "10"],
        [0.5, 0.2, "4.00"],
        [0.6, 0.2, "40.00"],
        [0.1, 0.24, "Total 40.00"],
      ]),
    );
    expect(data).toMatchObject({
      seller: { name: "Quillon Prints Ltd", address: "9 Mews Row, Leeds LS9 9ZZ" },
      buyer: { name: "Marrow Foods Inc" },
    });
  });
});

it("the total is what is left of the goods after the discount, not their sum", () => {
  const { data } = extractFields(
    textPage([
      [0.05, 0.05, "INVOICE"],
      [0.05, 0.07, "Invoice Id #7TQ4KM"],
      [0.05, 0.2, "Item"],
      [0.6, 0.2, "Qty"],
      [0.85, 0.2, "Amount"],
      [0.05, 0.23, "Hull cleaning"],
      [0.6, 0.23, "1"],
      [0.85, 0.23, "£240.00"],
      [0.05, 0.25, "Antifouling paint"],
      [0.6, 0.25, "3"],
      [0.85, 0.25, "£165.00"],
      [0.6, 0.3, "Amount:"],
      [0.85, 0.3, "£405.00"],
      [0.6, 0.32, "Discount:"],
      [0.85, 0.32, "£20.00"],
      [0.6, 0.34, "Total:"],
      [0.85, 0.34, "£385.00"],
    ]),
  );
  expect(data).toMatchObject({ grand_total: 385 });
});

it("letters before a dash in a recognised number belong to it and are no Nr misread", () => {
  const numbered = (title: string) =>
    extractFields(textPage([[0.05, 0.05, title]], {}, "ocr"), "invoice").data.invoice_number;
  expect(numbered("INVOICE NZ-2291")).toBe("NZ-2291");
  expect(numbered("Factura F-2025/77")).toBe("F-2025/77");
});
