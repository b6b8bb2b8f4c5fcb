import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { makePdf } from "../../../../tests/support/make-pdf.ts";
import { defaultReadLimits } from "../../../ports/document-reader.ts";
import { readFile } from "./read-file.ts";
import { sniff } from "./sniff.ts";

const bytes = (text: string): Uint8Array => strToU8(text);
const read = (given: Uint8Array) => readFile(given, defaultReadLimits);
const texts = async (given: Uint8Array) =>
  (await read(given)).document.pages.flatMap((page) => page.lines.map((line) => line.text));

describe("a file is judged by its content", () => {
  it("whatever it is called", () => {
    expect(sniff(bytes("%PDF-1.7"))).toBe("pdf");
    expect(sniff(bytes("<html><body>%PDF-"))).toBe("pdf");
    expect(sniff(bytes("name;amount\nA;1\nB;2\n"))).toBe("csv");
    expect(sniff(bytes("<!doctype html><p>x"))).toBe("html");
    expect(sniff(bytes("From: a@b\nTo: c@d\nSubject: x\n\nhi"))).toBe("eml");
    expect(sniff(bytes("Dear Sir,\nthank you, indeed.\n"))).toBe("txt");
    expect(sniff(bytes('<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="x">'))).toBe("xml");
    expect(sniff(bytes('<svg xmlns="x"/>'))).toBeUndefined();
    expect(sniff(new Uint8Array([0, 1, 2, 3, 0, 0, 5]))).toBeUndefined();
  });

  it("and refused when it is no document", async () => {
    await expect(read(bytes("<svg/>"))).rejects.toMatchObject({ kind: "unsupported_media_type" });
    await expect(read(new Uint8Array())).rejects.toMatchObject({ kind: "invalid_request" });
    await expect(read(bytes("PK\u0003\u0004 broken"))).rejects.toMatchObject({ kind: "unreadable_document" });
    await expect(read(zipSync({ "a.txt": bytes("x") }))).rejects.toMatchObject({ kind: "unsupported_media_type" });
  });
});

it("a page of figures is read as it is, though a dictionary knows none of its words", async () => {
  const rows = Array.from({ length: 47 }, (_, index) => [
    `ST-${index}`,
    `${5 * index}`,
    `${(14 - index / 14).toFixed(2)}`,
  ]);
  const { document, pictures } = await read(
    makePdf(
      rows.flatMap((row, at) => row.map((text, column) => [0.1 + column * 0.2, 0.05 + at * 0.018, text] as const)),
    ),
  );
  expect(pictures).toEqual([]);
  expect(document.pages[0]!.lines).toHaveLength(3 * rows.length);
});

it("boxes that are drawn before words are read with their state; a chart's colours and a lone square are none", async () => {
  const words = (x: number, y: number, text: string) => `BT /F1 10 Tf ${x} ${y} Td (${text}) Tj ET`;
  const box = (x: number, y: number, paint = "S") => `${x} ${y} 9 9 re ${paint}`;
  const boxes = [
    `${box(60, 600)} ${words(74, 601, "Tea")} ${box(160, 600)} 160 600 m 169 609 l S 160 609 m 169 600 l S ${words(174, 601, "Milk")}`,
    `0 0.46 1 rg ${box(60, 580, "B")} 0 0 0 rg ${words(74, 581, "Sugar")}`,
  ].join("\n");
  const marks = (await texts(makePdf([], boxes))).filter((text) => /[☐☑]/u.test(text));
  expect(marks.join("").replace(/[^☐☑]/gu, "")).toBe("☐☑☑");
  const legend = ["1 0 0", "0 0 1"].map(
    (colour, at) => `${colour} rg ${box(60, 600 - at * 20, "B")} 0 0 0 rg ${words(74, 601 - at * 20, `Part ${at}`)}`,
  );
  expect((await texts(makePdf([], legend.join("\n")))).join("")).not.toMatch(/[☐☑]/u);
  expect((await texts(makePdf([], `${box(60, 600)} ${words(74, 601, "Lone")}`))).join("")).not.toMatch(/[☐☑]/u);
});

it("a page whose letters are drawn as outlines is read from its picture", async () => {
  const letters = Array.from(
    { length: 30 },
    (_, at) => `${60 + at * 9} 600 m ${64 + at * 9} 610 l ${67 + at * 9} 600 l f`,
  );
  const { pictures } = await read(makePdf([], letters.join("\n")));
  expect(pictures).toHaveLength(1);
});

describe("what nobody can see is not there", () => {
  it("in a PDF: white or see-through print, letters of a pixel, text beside the page; white on a dark field is seen", async () => {
    const hidden = [
      "BT 1 1 1 rg /F1 10 Tf 60 600 Td (white) Tj ET",
      "BT 0 0 0 rg 3 Tr /F1 10 Tf 60 580 Td (unpainted) Tj ET",
      "BT 0 Tr /F1 0.6 Tf 60 560 Td (tiny) Tj ET",
      "BT /F1 10 Tf 2000 540 Td (beside) Tj ET",
      "0 0 0.5 rg 50 490 200 30 re f BT 1 1 1 rg /F1 10 Tf 60 500 Td (banner) Tj ET",
    ].join("\n");
    expect(await texts(makePdf([[0.1, 0.1, "plain"]], hidden))).toEqual(["plain", "banner"]);
  });

  it("in a PDF: what is covered, cut off, or in the colour of its field; what is written over a cover is seen", async () => {
    const at = (y: number, text: string) => `BT /F1 10 Tf 60 ${y} Td (${text}) Tj ET`;
    const hidden = [
      `${at(600, "covered")} 1 1 1 rg 50 595 200 20 re f 0 0 0 rg`,
      `${at(570, "blackened")} 50 565 200 20 re f`,
      `q 0 0 5 5 re W n ${at(540, "cut")} Q`,
      `0 0 0.6 rg 50 505 200 20 re f ${at(510, "drowned")} 0 0 0 rg`,
      `${at(480, "corrected")} 1 1 1 rg 50 475 200 20 re f 0 0 0 rg ${at(480, "over")}`,
      `0.75 0.75 0.75 rg ${at(450, "pale")} 0 0 0 rg`,
    ].join("\n");
    expect(await texts(makePdf([[0.1, 0.1, "plain"]], hidden))).toEqual(["plain", "over", "pale"]);
  });

  it("in HTML: hidden elements with all that is inside them", async () => {
    const page = `<p>shown</p><div style="display: none"><div>a</div>b</div><p hidden>c</p><p>too</p><span style="font-size:1px">d</span>
      <p style="color:#fff">e</p><p style="color:#fff;background:#003">banner</p><p style="position:absolute;left:-4000px">f</p><p>end</p>`;
    expect(await texts(bytes(`<!doctype html><html><body>${page}</body></html>`))).toEqual([
      "shown",
      "too",
      "banner",
      "end",
    ]);
  });

  it("in HTML: by its style sheets and colours; light print on a dark field is seen", async () => {
    const page = `<html><head><style>.gone{display:none} #far{position:absolute;left:-9999px} .pale{color:#fefefe}
        .dark th{background:#123} th{color:white} @media print{.shown{display:none}} .box .line{color:#fff}</style></head><body>
      <p class="shown">shown</p><p class="gone">a</p><p id="far">b</p><p class="pale">c</p>
      <div style="background:#003"><p style="color:#fff">banner</p><p style="color:#000030">d</p></div>
      <div style="height:0;overflow:hidden">e</div><p style="color:rgba(0,0,0,0)">f</p><p class="line">partly</p>
      <table class="dark"><tr bgcolor="000000"><td><font color=ffffff>Qty<td style="background:#fff">two</tr></table></body></html>`;
    expect(await texts(bytes(page))).toEqual(["shown", "banner", "partly", "Qty", "two"]);
  });

  it("in HTML: fields of a form show what is filled in, ticked and chosen", async () => {
    const page = `<html><body><p>Name: <input value="Iris Bell"><input type="hidden" value="x"></p>
      <p><input type="checkbox" checked> Tea <input type="checkbox"> Milk</p>
      <p>Size: <select><option>Small</option><option selected>Large</option></select></p></body></html>`;
    expect(await texts(bytes(page))).toEqual(["Name: Iris Bell", "☑ Tea ☐ Milk", "Size: Large"]);
  });

  it("in Word: text that is marked as hidden", async () => {
    const run = (text: string, marks = "") => `<w:r><w:rPr>${marks}</w:rPr><w:t>${text}</w:t></w:r>`;
    const xml = `<w:document xmlns:w="w"><w:body><w:p>${run("shown")}${run("gone", "<w:vanish/>")}${run(" too")}</w:p></w:body></w:document>`;
    expect(await texts(zipSync({ "word/document.xml": bytes(xml) }))).toEqual(["shown too"]);
  });

  it("in Word: white and tiny print, hidden styles; white print on a dark field is seen", async () => {
    const run = (text: string, marks = "") => `<w:r><w:rPr>${marks}</w:rPr><w:t>${text}</w:t></w:r>`;
    const white = '<w:color w:val="FFFFFF"/>';
    const dark = '<w:shd w:val="clear" w:fill="1F3864"/>';
    const cell = (marks: string, text: string) => `<w:tc><w:tcPr>${marks}</w:tcPr><w:p>${text}</w:p></w:tc>`;
    const xml = `<w:document xmlns:w="w"><w:body><w:p>${run("shown")}${run(" a", white)}${run(" b", '<w:sz w:val="2"/>')}${run(" c", '<w:rStyle w:val="Gone"/>')}</w:p>
      <w:p><w:pPr>${dark}</w:pPr>${run("banner", white)}</w:p><w:p><w:pPr><w:pStyle w:val="Band"/></w:pPr>${run("band", white)}</w:p>
      <w:tbl><w:tr>${cell(dark, run("head", white))}${cell("", run("d", white) + run("body"))}</w:tr></w:tbl></w:body></w:document>`;
    const styles = `<w:styles xmlns:w="w"><w:style w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="Band"><w:pPr>${dark}</w:pPr></w:style></w:styles>`;
    const file = zipSync({ "word/document.xml": bytes(xml), "word/styles.xml": bytes(styles) });
    expect(await texts(file)).toEqual(["shown", "banner", "band", "head", "body"]);
  });

  it("in Word: ticked boxes of old and new forms are read as such", async () => {
    const box = (mark: string) =>
      `<w:r><w:fldChar><w:ffData><w:checkBox>${mark}</w:checkBox></w:ffData></w:fldChar></w:r>`;
    const xml = `<w:document xmlns:w="w"><w:body><w:p>${box("<w:checked/>")}<w:r><w:t> Tea </w:t></w:r>${box('<w:default w:val="0"/>')}<w:r><w:t> Milk </w:t><w:sym w:font="Wingdings" w:char="F0FE"/><w:t> Sugar</w:t></w:r></w:p></w:body></w:document>`;
    expect(await texts(zipSync({ "word/document.xml": bytes(xml) }))).toEqual(["☑ Tea ☐ Milk ☑ Sugar"]);
  });
});

describe("formats without positions", () => {
  it("give a CSV as a table with quotes undone", async () => {
    const { document } = await read(bytes('item,price\n"Bolt, M8",1.50\nNut,0.20\n'));
    expect(document.tables[0]?.rows.map((row) => row.map((cell) => cell.text))).toEqual([
      ["item", "price"],
      ["Bolt, M8", "1.50"],
      ["Nut", "0.20"],
    ]);
  });

  it("of mails that place things with tables inside tables", async () => {
    const inner = "<table><tr><th>Item</th><th>Amount</th></tr><tr><td>Team plan</td><td>$128.00</td></tr></table>";
    const page = `<table><tr><td><h1>Hi,</h1>this is an invoice.${inner}Cheers</td></tr><tr><td>Left</td><td>Right</td></tr></table>`;
    expect(await texts(bytes(`<!doctype html><html><body>${page}</body></html>`))).toEqual([
      "Hi,",
      "this is an invoice.",
      "Item",
      "Amount",
      "Team plan",
      "$128.00",
      "Cheers",
      "Left",
      "Right",
    ]);
  });

  it("read HTML without scripts and styles, entities decoded, tables kept", async () => {
    const { document } = await read(
      bytes(
        "<html><style>p{}</style><script>alert(1)</script><h1>Caf&eacute; &amp; Bar</h1><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table></html>",
      ),
    );
    expect(document.pages[0]!.lines.map((line) => line.text)).toEqual(["Café & Bar", "A", "B", "1", "2"]);
    expect(document.tables).toHaveLength(1);
  });

  it("read HTML as browsers do: marks inside attributes, elements that nobody closed, names of signs", async () => {
    const page = `<html><body><p title="more > less">Total&nbsp;due: 12&euro;<p>Zahlbar bis &Aacute;rp&aacute;d<ul><li>one<li>two</ul>
      <table><tr><td>A<td>B<tr><td>1<td>2</table><p>3 < 4 &amp 5`;
    expect(await texts(bytes(page))).toEqual([
      "Total due: 12€",
      "Zahlbar bis Árpád",
      "one",
      "two",
      "A",
      "B",
      "1",
      "2",
      "3 < 4 & 5",
    ]);
  });

  it("keep apart in HTML what a style sets beside each other, and on one row what is level", async () => {
    const page = `<html><style>.row{display:flex} .right{float:right}</style><body><div class="row"><b>Rydr</b><span>8 July</span></div>
      <div class="row"><div>Owl Ltd<br>3 Elm Road</div><div>Invoice 7<br>May 1</div></div>
      <p>Total<span class="right">12.00</span></p><span style="display:block">one</span><span style="display:block">two</span></body></html>`;
    const { document } = await read(bytes(page));
    const rows = new Map<number, string[]>();
    for (const { box, text } of document.pages[0]!.lines) rows.set(box[1], [...(rows.get(box[1]) ?? []), text]);
    expect([...rows.values()]).toEqual([
      ["Rydr", "8 July"],
      ["Owl Ltd"],
      ["3 Elm Road"],
      ["Invoice 7"],
      ["May 1"],
      ["Total", "12.00"],
      ["one"],
      ["two"],
    ]);
  });

  it("refuse a page of more tags than any document has", async () => {
    await expect(read(bytes(`<html>${"<b>".repeat(500_000)}`))).rejects.toThrow("more than 500,000 tags");
  });

  it("keep the lines of a cell apart, and the cell whole", async () => {
    const { document } = await read(
      bytes("<!doctype html><table><tr><td>Owl Ltd<br>3 Elm Road</td><td>Invoice 7</td></tr></table>"),
    );
    expect(document.pages[0]!.lines.map((line) => line.text)).toEqual(["Owl Ltd", "Invoice 7", "3 Elm Road"]);
    expect(document.tables![0]!.rows[0]!.map(({ text }) => text)).toEqual(["Owl Ltd 3 Elm Road", "Invoice 7"]);
  });

  it("read Word paragraphs and tables", async () => {
    const xml =
      '<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>Invoice</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>Qty</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Sum</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>';
    expect(await texts(zipSync({ "word/document.xml": bytes(xml) }))).toEqual(["Invoice", "Qty", "Sum"]);
  });

  it("read Excel cells as they show, dates included", async () => {
    const files = {
      "xl/workbook.xml": bytes(
        '<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
      ),
      "xl/_rels/workbook.xml.rels": bytes(
        '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
      ),
      "xl/styles.xml": bytes('<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'),
      "xl/sharedStrings.xml": bytes("<sst><si><t>Total</t></si></sst>"),
      "xl/worksheets/sheet1.xml": bytes(
        '<worksheet><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="C1"><v>12.5</v></c><c r="D1" s="1"><v>45356</v></c></row></sheetData></worksheet>',
      ),
    };
    expect(await texts(zipSync(files))).toEqual(["Total", "12.5", "2024-03-05"]);
  });

  it("read a message with its heading, body and attachments", async () => {
    const mail =
      'From: Ann <ann@example.com>\r\nTo: bob@example.com\r\nSubject: Your bill\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee attached.\r\n--b\r\nContent-Type: text/csv; name="a.csv"\r\nContent-Disposition: attachment; filename="a.csv"\r\n\r\nitem,price\r\nBolt,2.00\r\n--b\r\nContent-Disposition: attachment; filename="evil.svg"\r\n\r\n<svg/>\r\n--b--\r\n';
    const { document } = await read(bytes(mail));
    const all = document.pages.flatMap((page) => page.lines.map((line) => line.text));
    expect(all).toEqual(expect.arrayContaining(["Subject: Your bill", "See attached.", "Bolt", "2.00"]));
    expect(document.warnings[0]).toContain("evil.svg");
  });
});

describe("hostile archives", () => {
  it("that unpack to far too much are refused while unpacking", async () => {
    const bomb = zipSync({ "word/document.xml": new Uint8Array(30_000_000) });
    await expect(read(bomb)).rejects.toMatchObject({ kind: "unreadable_document" });
  });

  it("with thousands of parts are refused", async () => {
    const parts = Object.fromEntries(Array.from({ length: 2100 }, (_, index) => [`p${index}`, new Uint8Array()]));
    await expect(read(zipSync({ ...parts, "word/document.xml": bytes("<a/>") }))).rejects.toThrow(/parts/);
  });

  it("whose XML declares entities are refused", async () => {
    const xml =
      '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><w:document xmlns:w="w"><w:p><w:t>&a;</w:t></w:p></w:document>';
    await expect(read(zipSync({ "word/document.xml": bytes(xml) }))).rejects.toThrow(/document type/);
  });
});
