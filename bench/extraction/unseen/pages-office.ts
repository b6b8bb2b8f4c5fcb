import { itemTable, sumRows } from "./pages-chromium.ts";
import { type Scenario, writeQuantity } from "./scenario.ts";

/** Letters as people write them in a word processor: LibreOffice reads this HTML and sets it in its own way. */
export function letter(s: Scenario, title = s.say("invoice"), sign = 1, order = false): string {
  const info: [string, string][] = [
    [s.say("number"), s.number],
    [s.say("date"), s.day(s.issue)],
    ...(order ? ([[s.say("order"), s.order]] as [string, string][]) : []),
    [s.say("customer"), s.customer],
  ];
  return `<html><head><meta charset="utf-8"></head><body style="font-family:Liberation Serif;font-size:11pt">
<p style="font-size:7pt"><u>${s.seller.name} · ${s.seller.street} · ${s.seller.town}</u></p>
<table width="100%"><tr><td width="58%"><p>${s.buyer.name}<br>${s.buyer.street}<br>${s.buyer.town}</p></td><td><table>${info.map(([key, value]) => `<tr><td>${key}:</td><td>${value}</td></tr>`).join("")}</table></td></tr></table>
<h2>${title}</h2><p>${s.say("letter")}</p><p>${s.say("thanks")}</p>
${itemTable(s, ["pos", "item", "qty", "price", "sum"], sign).replace("<table", '<table border="1" width="100%" cellspacing="0"')}
<table align="right" width="50%">${sumRows(s, sign)
    .map(([label, amount]) => `<tr><td>${label}</td><td align="right">${amount}</td></tr>`)
    .join("")}</table><br clear="all">
<p>${s.say("terms")} ${s.say("due")}: ${s.day(s.due)}</p><p>${s.seller.name}</p>
<p style="font-size:8pt">${s.say("vatid")}: ${s.seller.vatId}${s.iban ? `, IBAN: ${s.iban}` : ""}</p></body></html>`;
}

/** An invoice kept in a spreadsheet: labels and values in cells. */
export function sheet(s: Scenario): string {
  const row = (...cells: readonly string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  return `<html><head><meta charset="utf-8"></head><body><table>
${row(s.seller.name, "", "", s.say("invoice"))}${row(s.seller.street)}${row(s.seller.town)}${row("")}
${row(s.say("to"), "", s.say("number"), `'${s.number}`.replace("'", ""))}${row(s.buyer.name, "", s.say("date"), s.day(s.issue))}${row(s.buyer.street, "", s.say("due"), s.day(s.due))}${row(s.buyer.town)}${row("")}
${row(s.say("item"), s.say("qty"), s.say("price"), s.say("sum"))}
${s.lines.map((line) => row(line.description, writeQuantity(s, line.quantity), s.money(line.price), s.money(line.total))).join("")}${row("")}
${sumRows(s)
  .map(([label, amount]) => row("", "", label, amount))
  .join("")}${row("")}${row(s.iban ? `IBAN ${s.iban}` : "")}</table></body></html>`;
}

/** A page of something that is no invoice though it has parties, lines and maybe prices. */
export function otherKind(s: Scenario, kind: string): string {
  const title = s.say(kind);
  const body: Record<string, string> = {
    porder: `<p>${s.say("from")}: ${s.buyer.name}, ${s.buyer.street}, ${s.buyer.town}</p><p>${title} ${s.order}<br>${s.say("bdate")}: ${s.day(s.issue)}</p>${itemTable(s, ["item", "qty", "price", "sum"])}<p>${s.say("total")}: ${s.money(s.net)}</p>`,
    quote: `<p>${s.buyer.name}<br>${s.buyer.street}<br>${s.buyer.town}</p><p>${title} ${s.number}, ${s.day(s.issue)}</p>${itemTable(s, ["pos", "item", "qty", "price", "sum"])}<p>${s.say("net")}: ${s.money(s.net)}<br>${s.say("vat")}: ${s.money(s.tax)}<br>${s.say("total")}: ${s.money(s.gross)}</p>`,
    delivery: `<p>${s.say("ship")}: ${s.buyer.name}, ${s.buyer.street}, ${s.buyer.town}</p><p>${title} ${s.customer}<br>${s.say("bdate")}: ${s.day(s.issue)}<br>${s.say("order")}: ${s.order}</p>${itemTable(s, ["pos", "item", "qty"])}`,
    payslip: `<p>${s.buyer.name}<br>${s.buyer.street}<br>${s.buyer.town}</p><p>${title} ${s.day(s.issue).slice(-7)}</p><table border="1"><tr><td>Brutto / Gross</td><td>${s.money(s.gross + 1200)}</td></tr><tr><td>Tax</td><td>${s.money(-s.tax)}</td></tr><tr><td>Netto / Net</td><td>${s.money(s.gross + 1200 - s.tax)}</td></tr></table>`,
    reminder: `<p>${s.buyer.name}<br>${s.buyer.street}<br>${s.buyer.town}</p><h2>${title}</h2><p>${s.say("letter")}</p><table border="1"><tr><td>${s.say("number")}</td><td>${s.say("date")}</td><td>${s.say("due")}</td><td>${s.say("amount")}</td></tr><tr><td>${s.number}</td><td>${s.day(s.issue)}</td><td>${s.day(s.due)}</td><td>${s.money(s.gross)}</td></tr></table><p>${s.say("pay")}: ${s.money(s.gross)}${s.iban ? `<br>IBAN ${s.iban}` : ""}</p>`,
    letter: `<p>${s.buyer.name}<br>${s.buyer.street}<br>${s.buyer.town}</p><p>${s.day(s.issue)}</p><p>${title}</p><p>${s.say("thanks")} ${s.say("terms")} ${s.say("thanks")}</p><p>${s.say("thanks")}</p><p>${s.seller.name}</p>`,
  };
  return `<html><head><meta charset="utf-8"></head><body style="font-family:Liberation Sans;font-size:11pt"><h1>${kind === "letter" ? s.seller.name : title}</h1><p>${s.seller.name}, ${s.seller.street}, ${s.seller.town}</p>${body[kind]}</body></html>`;
}
