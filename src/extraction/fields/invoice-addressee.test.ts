import { expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

type Line = [left: number, top: number, text: string];

const buyerOf = (...lines: Line[]) => {
  const page: Line[] = [
    [0.6, 0.05, "Invoice 4471"],
    [0.6, 0.08, "Larch Joinery Ltd"],
    [0.6, 0.094, "3 Elm Road"],
    [0.6, 0.108, "Leeds LS1 4DY"],
    ...lines,
    [0.6, 0.6, "Total"],
    [0.8, 0.6, "20.00"],
  ];
  return (extractFields(textPage(page), "invoice").data.buyer as { name: string | null }).name;
};

it.each(["Frau", "Herrn Mag.", "Mr & Mrs", "M. et Mme", "Accounts Payable", "Buchhaltung"])(
  "the name stands under %s and is not that",
  (title) => {
    const lines: Line[] = [
      [0.08, 0.2, title],
      [0.08, 0.214, "Regula Amstutz"],
      [0.08, 0.228, "Bergweg 5"],
      [0.08, 0.242, "8942 Oberrieden"],
    ];
    expect(buyerOf(...lines)).toBe("Regula Amstutz");
  },
);

it("a department behind the heading is not the company under it", () => {
  const lines: Line[] = [
    [0.08, 0.2, "To: Accounts Payable"],
    [0.08, 0.214, "Small Batch Press Ltd"],
    [0.08, 0.228, "Unit 7 Old Dairy Works"],
    [0.08, 0.242, "Lewes BN7 2PE"],
  ];
  expect(buyerOf(...lines)).toBe("Small Batch Press Ltd");
});
