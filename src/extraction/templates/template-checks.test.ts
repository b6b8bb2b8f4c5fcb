import { describe, expect, it } from "vitest";
import { parseTemplate } from "./parse-template.ts";
import { runTemplateChecks } from "./template-checks.ts";

const template = (checks: string[], row_check?: string) =>
  parseTemplate({
    name: "T",
    version: 3,
    fields: [
      { name: "net", type: "currency" },
      { name: "tax", type: "currency" },
      { name: "total", type: "currency" },
      {
        name: "items",
        type: "table",
        columns: [{ name: "qty" }, { name: "price" }, { name: "amount" }],
        ...(row_check ? { row_check } : {}),
      },
    ],
    checks,
  });
const data = { net: 100, tax: 19, total: 119, items: [{ qty: 2, price: 50, amount: 100 }] };

describe("the checks of a template", () => {
  it("say whether its sums hold", () => {
    expect(
      runTemplateChecks(template(["net + tax = total", "sum(items.amount) = net", "total - tax * 2 = net"]), data),
    ).toEqual([
      { name: "net + tax = total", passed: true, message: "119 = 119" },
      { name: "sum(items.amount) = net", passed: true, message: "100 = 100" },
      { name: "total - tax * 2 = net", passed: false, message: "81 is not 100" },
    ]);
  });

  it("say nothing about what is missing", () => {
    expect(runTemplateChecks(template(["net + tax = total"]), { ...data, tax: null })).toEqual([]);
  });

  it("look at every row of a table", () => {
    const rows = [...data.items, { qty: 3, price: 50, amount: 140 }];
    expect(runTemplateChecks(template([], "qty*price=amount"), { ...data, items: rows })).toEqual([
      { name: "items: qty*price=amount", passed: false, message: "Rows 2 do not agree." },
    ]);
  });

  it("that cannot be read are refused when the template is written", () => {
    for (const text of ["net + = total", "net", "a = b = c", "process.exit() = 1", "net total = 3"])
      expect(() => template([text]), text).toThrow("cannot be read");
  });
});
