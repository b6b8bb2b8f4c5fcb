import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countries } from "./countries.ts";
import { boxes, hidden, saas, till, tillTotals, utility } from "./pages-chromium.ts";
import { prose, typewriter } from "./pages-groff.ts";
import { letter, otherKind, sheet } from "./pages-office.ts";
import { columns, makeStatement, signed, statementTruth } from "./pages-statement.ts";
import { invoiceTruth, makeScenario, type Scenario, type Wishes } from "./scenario.ts";
import { convertOffice, joinPdfs, scan, setWithGroff, stack, startPrinter, writeMail } from "./tools.ts";
import { waysToSay } from "./vocabulary.ts";

/**
 * Makes documents with tools of others (Chromium, LibreOffice, groff, ghostscript, ImageMagick from Debian), with known answers.
 * Run: npm run bench -- extraction/unseen/generate FOLDER
 */
const folder = process.argv[2];
if (!folder) throw new Error("Say into which folder: npm run bench -- extraction/unseen/generate FOLDER");
mkdirSync(join(folder, "files"), { recursive: true });
interface Entry {
  id: string;
  family: string;
  type: string;
  language: string;
  file: string;
  truth: Record<string, unknown>;
}
const manifest: Entry[] = [];
const keep = (
  family: string,
  type: string,
  s: Scenario,
  extension: string,
  bytes: Buffer,
  truth: Record<string, unknown>,
): void => {
  const id = `${family}-${s.country.code.toLowerCase()}-${manifest.filter((entry) => entry.family === family).length + 1}`;
  writeFileSync(join(folder, "files", `${id}.${extension}`), bytes);
  manifest.push({ id, family, type, language: s.country.language, file: `files/${id}.${extension}`, truth });
};

let seed = 20_261;
const scenario = (code: string, wishes: Wishes = {}): Scenario => makeScenario(code, seed++, wishes);
const all = countries.map(({ code }) => code);
const western = ["GB", "US", "DE", "FR", "ES", "IT", "NL", "PT", "SE", "DK"];
const varied = (index: number): Wishes => ({
  rates: index % 3 === 1 ? 2 : 1,
  discount: index % 4 === 2,
  shipping: index % 5 === 3,
  paid: index % 6 === 4,
});
/** Most pages here print the tax of each rate and no sum of them. */
const usual = { vatId: true, iban: true, taxTotal: false } as const;

const printer = await startPrinter();
const invoicePages = { saas, boxes, utility } as const;
const made = new Map<string, { s: Scenario; pdf: Buffer; truth: Record<string, unknown> }[]>();
for (const [family, page] of Object.entries(invoicePages)) {
  const codes =
    family === "saas"
      ? all.slice(0, 16)
      : family === "boxes"
        ? all.slice(2)
        : all.filter((_, index) => index % 2 === 0);
  for (const [index, code] of codes.entries()) {
    const s = scenario(code, varied(index));
    const isCredit = index % 7 === 5;
    const pdf = await printer.print(isCredit ? page(s, s.say("credit"), index % 2 === 0 ? 1 : -1) : page(s));
    const truth = invoiceTruth(s, isCredit && index % 2 === 1 ? { ...usual, sign: -1 } : usual);
    keep(family, isCredit ? "credit_note" : "invoice", s, "pdf", pdf, truth);
    if (!isCredit) made.set(family, [...(made.get(family) ?? []), { s, pdf, truth }]);
  }
}
for (const code of ["GB", "DE", "FR", "ES"]) {
  const s = scenario(code);
  keep("hidden", "invoice", s, "pdf", await printer.print(hidden(s)), invoiceTruth(s, usual));
}
const pageOfTill: Buffer[] = [];
for (const [index, code] of [...all, "GB", "DE"].entries()) {
  const s = scenario(code, { rates: index % 2 === 0 ? 2 : 1, lines: 3 + (index % 3) });
  const pdf = await printer.print(till(s));
  const totals = tillTotals(s);
  const truth = {
    company: s.seller.name,
    address: `${s.seller.street} ${s.seller.town}`,
    date_iso: s.issue,
    total_number: totals.total,
    currency: s.country.currency,
    lines: s.lines.map(({ description, quantity, price, total }) => ({
      description,
      quantity,
      unit_price: price,
      total,
    })),
  };
  keep("till", "receipt", s, "pdf", pdf, truth);
  if (index % 3 === 0) keep("till-photo", "receipt", s, "jpg", scan(pdf, index % 2 === 0 ? 1.1 : -0.8, 70), truth);
  pageOfTill.push(pdf);
}
for (const [family, page] of [
  ["statement-columns", columns],
  ["statement-signed", signed],
] as const) {
  for (const code of ["GB", "DE", "FR", "ES", "IT", "NL", "PT", "PL", "SE", "CZ", "HU"]) {
    const s = scenario(code);
    const bank = s.country.banks[Math.floor(s.random() * s.country.banks.length)]!;
    const statement = makeStatement(s, waysToSay(s.country.language, "moves"), family === "statement-columns" ? 9 : 7);
    const account = s.iban || `${s.customer}${s.customer}`;
    keep(
      family,
      "bank_statement",
      s,
      "pdf",
      await printer.print(page(s, statement, bank, account)),
      statementTruth(s, statement, bank, account, family === "statement-columns"),
    );
  }
}
printer.stop();

for (const [index, code] of western.entries()) {
  const s = scenario(code, varied(index));
  const isCredit = index === 7;
  keep(
    "typewriter",
    isCredit ? "credit_note" : "invoice",
    s,
    "pdf",
    setWithGroff(isCredit ? typewriter(s, s.say("credit")) : typewriter(s)),
    invoiceTruth(s, { ...usual, order: true }),
  );
  const other = scenario(code);
  keep("prose", "invoice", other, "pdf", setWithGroff(prose(other)), invoiceTruth(other, {}));
}

const office = (
  family: string,
  type: string,
  build: (s: Scenario, index: number) => string,
  codes: readonly string[],
  filter: string,
  to: string,
  truthOf: (s: Scenario) => Record<string, unknown>,
  wish = varied,
): void => {
  const list = codes.map((code, index) => ({ s: scenario(code, wish(index)), name: `${family}-${index}`, index }));
  const files = convertOffice(new Map(list.map(({ s, name, index }) => [name, build(s, index)])), filter, to);
  for (const { s, name } of list) keep(family, type, s, to.split(":")[0]!, files.get(name)!, truthOf(s));
};
const writer = "HTML (StarWriter)";
office(
  "letter",
  "invoice",
  (s) => letter(s, s.say("invoice"), 1, true),
  all,
  writer,
  "pdf:writer_pdf_Export",
  (s) => invoiceTruth(s, { ...usual, order: true }),
);
office(
  "letter-docx",
  "invoice",
  (s) => letter(s),
  western,
  writer,
  "docx:MS Word 2007 XML",
  (s) => invoiceTruth(s, usual),
);
office("sheet", "invoice", sheet, western, "calc_HTML_WebQuery", "xlsx:Calc MS Excel 2007 XML", (s) =>
  invoiceTruth(s, { iban: true, taxTotal: false }),
);
const kinds = {
  porder: "purchase_order",
  quote: "quote",
  delivery: "delivery_note",
  payslip: "payslip",
  reminder: "reminder",
  letter: "letter",
};
for (const [key, type] of Object.entries(kinds))
  office(
    `kind-${type}`,
    type,
    (s) => otherKind(s, key),
    ["GB", "DE", "FR", "ES", "IT", "PL", "NL", "SE"].slice(0, type === "letter" ? 5 : 7),
    writer,
    "pdf:writer_pdf_Export",
    () => ({}),
  );

for (const [family, list] of made)
  for (const [index, { s, pdf, truth }] of list.slice(0, 5).entries())
    keep(`${family}-scan`, "invoice", s, "jpg", scan(pdf, [0.7, -0.9, 0.3, 1.2, -0.4][index]!, 65), truth);

const picks = [...made.values()].flat();
for (let index = 0; index + 2 < 18; index += 3) {
  const group = picks.slice(index * 2, index * 2 + 2 + (index % 2));
  const truths = group.map(({ truth }, at) => ({ type: "invoice", pages: [at + 1, at + 1], truth }));
  keep("bundle", "bundle", group[0]!.s, "pdf", joinPdfs(group.map(({ pdf }) => pdf)), { documents: truths });
  if (index % 2 === 0)
    keep(
      "mail",
      "bundle",
      group[0]!.s,
      "eml",
      writeMail(
        "Dear colleague,\r\n\r\nplease find the attached invoices.\r\n\r\nKind regards\r\nJordan Baker\r\nForwarding Desk Ltd\r\n12 Cover Lane, Leeds LS9 9ZZ\r\n",
        group.map(({ pdf }, at) => ({ name: `doc${at + 1}.pdf`, bytes: pdf })),
      ),
      { documents: truths },
    );
}
const blank = scan(setWithGroff(".bp\n\\&\n"), 0.2, 60);
const sheets = [picks[1]!, picks[8]!];
keep(
  "batch",
  "bundle",
  sheets[0]!.s,
  "tiff",
  stack([scan(sheets[0]!.pdf, 0.3, 70), blank, scan(sheets[1]!.pdf, -0.5, 70)]),
  {
    documents: sheets.map(({ truth }, at) => ({ type: "invoice", pages: [at * 2 + 1, at * 2 + 1], truth })),
  },
);

writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 1)}\n`);
const families = new Set(manifest.map((entry) => entry.family));
console.log(
  `${manifest.length} documents, ${families.size} families, ${new Set(manifest.map((entry) => entry.language)).size} languages.`,
);
