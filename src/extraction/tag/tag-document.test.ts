import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { packageRoot } from "../../platform/package-root.ts";
import { tagDocument } from "./tag-document.ts";
import { createPageTagger, type PageTagger } from "./tagger.ts";

describe("the words of a page", () => {
  let tagger: PageTagger;
  beforeAll(async () => {
    tagger = await createPageTagger(join(packageRoot(), "models", "tagger"));
  });

  it("are told apart by what they are, and the page by its kind", async () => {
    const document = await tagDocument(
      textPage([
        [0.1, 0.05, "Harbour Tools Ltd"],
        [0.1, 0.07, "12 Mill Lane"],
        [0.1, 0.09, "Leeds LS1 4AB"],
        [0.6, 0.05, "INVOICE"],
        [0.6, 0.09, "Invoice No."],
        [0.8, 0.09, "INV-20417"],
        [0.6, 0.11, "Invoice date"],
        [0.8, 0.11, "14/03/2025"],
        [0.1, 0.2, "Bill to"],
        [0.1, 0.22, "Green Field Cafe"],
        [0.1, 0.4, "Description"],
        [0.6, 0.4, "Qty"],
        [0.85, 0.4, "Amount"],
        [0.1, 0.43, "Claw hammer"],
        [0.6, 0.43, "2"],
        [0.85, 0.43, "36.00"],
        [0.6, 0.5, "Subtotal"],
        [0.85, 0.5, "36.00"],
        [0.6, 0.52, "VAT 20%"],
        [0.85, 0.52, "7.20"],
        [0.6, 0.54, "Total"],
        [0.85, 0.54, "43.20"],
      ]),
      tagger,
    );
    const page = document.pages[0]!;
    const chanceOf = (text: string, name: string): number =>
      page.lines.flatMap(({ words }) => words).find((word) => word.text.includes(text))?.tags?.[name] ?? 0;
    const expected = { "INV-20417": "number", "14/03/2025": "issue_date", Harbour: "seller_name", Green: "buyer_name" };
    for (const [text, name] of Object.entries({
      ...expected,
      "7.20": "tax",
      "43.20": "total",
      "Claw hammer": "item_text",
    }))
      expect([text, chanceOf(text, name) > 0.5]).toEqual([text, true]);
    expect(page.kinds?.invoice).toBeGreaterThan(0.5);
  });

  it("of an empty page are left alone", async () => {
    const document = textPage([]);
    expect(await tagDocument(document, tagger)).toEqual(document);
  });
});
