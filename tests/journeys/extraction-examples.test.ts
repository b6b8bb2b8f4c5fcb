import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readFile } from "../../src/adapters/engines/document-reader/read-file.ts";
import { fillSchema } from "../../src/extraction/schemas/fill-schema.ts";
import { parseSchema } from "../../src/extraction/schemas/parse-schema.ts";
import { applyTemplate } from "../../src/extraction/templates/apply-template.ts";
import { parseTemplate } from "../../src/extraction/templates/parse-template.ts";
import { suggestTemplate } from "../../src/extraction/templates/suggest-template.ts";
import { packageRoot } from "../../src/platform/package-root.ts";
import { defaultReadLimits } from "../../src/ports/document-reader.ts";

const example = (name: string): Buffer => readFileSync(join(packageRoot(), "docs", "examples", name));
const read = async (name: string) => (await readFile(example(name), defaultReadLimits)).document;

it("the template of the guide reads the document of the guide, as the guide says", async () => {
  const { extraction } = applyTemplate(
    await read("delivery-note.pdf"),
    parseTemplate(example("delivery-note.yaml").toString("utf8")),
  );
  expect(extraction.data).toEqual({
    document_type: "delivery_note",
    consignment: "MCS-2024-00817",
    shipped: "2024-11-14",
    temperature: -18.5,
    seal_intact: true,
    consignee: "Blue Fjord Foods AS, Strandgaten 12, 5013 Bergen",
    lots: [
      { lot: "L-4471", contents: "Cod fillets, skinless", pallets: 4, kilograms: 2180.5 },
      { lot: "L-4472", contents: "Prawns, peeled", pallets: 2, kilograms: 940 },
      { lot: "L-4480", contents: "Salmon portions", pallets: 6, kilograms: 3312.25 },
    ],
    weight: 6432.75,
  });
  expect(extraction.warnings).toEqual([]);
  expect(extraction.checks).toEqual([
    { name: "sum(lots.kilograms) = weight", passed: true, message: "6432.75 = 6432.75" },
  ]);
});

it("the JSON Schema of the guide reads the invoice of the guide, as a template just as with the request", async () => {
  const schema = JSON.parse(example("invoice-schema.json").toString("utf8"));
  const invoice = await read("invoice.pdf");
  const { data } = fillSchema(invoice, parseSchema(schema));
  expect(data).toMatchObject({ vendor: { name: "Kestrel Freight Ltd" } });
  expect(applyTemplate(invoice, parseTemplate(schema)).extraction.data).toMatchObject(data);
});

it("the values of the guide are enough to suggest a template for its document", async () => {
  const values = { consignment: "MCS-2024-00817", shipped: "2024-11-14", lots: [{ lot: "L-4471", pallets: 4 }] };
  const { template, not_found } = suggestTemplate(await read("delivery-note.pdf"), values, "Meridian");
  expect(not_found).toEqual([]);
  expect(template.fields).toMatchObject([
    { name: "consignment", type: "string", find: [{ label: ["Consignment"], where: ["right"] }] },
    { name: "shipped", type: "date", find: [{ label: ["Shipped"], where: ["right"] }] },
    {
      name: "lots",
      type: "table",
      columns: [
        { name: "lot", header: ["Lot"] },
        { name: "pallets", header: ["Pallets"] },
      ],
    },
  ]);
});
