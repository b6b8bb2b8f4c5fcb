import { describe, expect, it } from "vitest";
import {
  type Arrangement,
  drawInvoice,
  languages,
  sampleInvoice,
  totalsOf,
} from "../../../tests/support/made-up-invoice.ts";
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
});
