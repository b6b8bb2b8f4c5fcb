import { type Scenario, writeQuantity, writeRate } from "./scenario.ts";

/** Pages that Chromium prints: what web shops and online bookkeeping programs send. */
const page = (style: string, body: string): string =>
  `<!doctype html><meta charset="utf-8"><style>@page{size:A4;margin:14mm}body{font-family:Arial,Helvetica,sans-serif;font-size:10pt;margin:0}table{border-collapse:collapse;width:100%}td,th{padding:3px 5px;text-align:left;vertical-align:top}.r{text-align:right}${style}</style>${body}`;

const lines = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("<br>");
const address = ({ name, street, town }: { name: string; street: string; town: string }): string =>
  lines([`<b>${name}</b>`, street, town]);

/** Rows of sums as label and amount, in the order in which they are usually printed. */
export function sumRows(s: Scenario, sign = 1): [label: string, amount: string][] {
  const money = (value: number): string => s.money(sign * value);
  const goods = s.lines.reduce((sum, line) => sum + line.total, 0);
  return [
    ...(s.discount > 0 || s.shipping > 0 ? [[waresLabel(s), money(goods)] as [string, string]] : []),
    ...(s.discount > 0 ? [[`${s.say("discount")} 5 %`, money(-s.discount)] as [string, string]] : []),
    ...(s.shipping > 0 ? [[s.say("shipping"), money(s.shipping)] as [string, string]] : []),
    [s.say("net"), money(s.net)],
    ...s.taxes.map(({ rate, base, tax }): [string, string] => [
      s.taxes.length > 1
        ? `${s.say("vat")} ${writeRate(s, rate)} (${s.money(base, false)})`
        : `${s.say("vat")} ${writeRate(s, rate)}`,
      money(tax),
    ]),
    [s.say("total"), money(s.gross)],
    ...(s.paid > 0
      ? ([
          [s.say("paid"), money(-s.paid)],
          [s.say("pay"), money(s.gross - s.paid)],
        ] as [string, string][])
      : []),
  ];
}

function waresLabel(s: Scenario): string {
  const words: Record<string, string> = {
    en: "Goods",
    de: "Warenwert",
    fr: "Total articles",
    es: "Mercancía",
    it: "Merce",
    nl: "Artikelen",
    pt: "Mercadorias",
    pl: "Towary",
    sv: "Varor",
    da: "Varer",
    cs: "Zboží",
    fi: "Tuotteet",
    ro: "Produse",
    hu: "Termékek",
  };
  return words[s.country.language]!;
}

export function itemTable(s: Scenario, columns: readonly string[], sign = 1): string {
  const cell = (line: Scenario["lines"][number], column: string, index: number): string => {
    if (column === "pos") return String(index + 1);
    if (column === "item") return line.description;
    if (column === "qty") return writeQuantity(s, line.quantity);
    if (column === "price") return s.money(line.price, false);
    if (column === "vat") return writeRate(s, line.rate);
    return s.money(sign * line.total, false);
  };
  const heads = columns.map(
    (column) =>
      `<th class="${column === "item" || column === "pos" ? "" : "r"}">${column === "pos" ? "#" : column === "vat" ? `${s.say("vat").split(" ").at(-1)} %` : s.say(column)}</th>`,
  );
  const rows = s.lines.map(
    (line, index) =>
      `<tr>${columns.map((column) => `<td class="${column === "item" || column === "pos" ? "" : "r"}">${cell(line, column, index)}</td>`).join("")}</tr>`,
  );
  return `<table class="items"><tr>${heads.join("")}</tr>${rows.join("")}</table>`;
}

export function saas(s: Scenario, title = s.say("invoice"), sign = 1): string {
  return page(
    "h1{font-size:22pt;margin:0 0 18px;font-weight:600}.meta td{padding:1px 14px 1px 0}.parties{margin:18px 0}.items th{border-bottom:1px solid #bbb;font-size:8.5pt;color:#555}.items td{padding:7px 5px;border-bottom:1px solid #eee}.sums{width:45%;margin:14px 0 0 55%}.foot{margin-top:40px;font-size:8pt;color:#666}",
    `<h1>${title}</h1><table class="meta" style="width:auto"><tr><td>${s.say("number")}</td><td>${s.number}</td></tr><tr><td>${s.say("date")}</td><td>${s.day(s.issue)}</td></tr><tr><td>${s.say("due")}</td><td>${s.day(s.due)}</td></tr></table>
<table class="parties"><tr><td style="width:50%">${lines([
      address(s.seller),
      `info@${s.seller.name
        .toLowerCase()
        .replace(/[^a-z]/g, "")
        .slice(0, 12)}.example`,
      `${s.say("vatid")} ${s.seller.vatId}`,
    ])}</td><td>${lines([s.say("to"), address(s.buyer)])}</td></tr></table>
<p style="font-size:14pt"><b>${s.money(sign * (s.gross - s.paid))}</b> · ${s.day(s.due)}</p>
${itemTable(s, ["item", "qty", "price", "sum"], sign)}
<table class="sums">${sumRows(s, sign)
      .map(([label, amount]) => `<tr><td>${label}</td><td class="r">${amount}</td></tr>`)
      .join("")}</table>
<p class="foot">${lines([s.iban ? `IBAN ${s.iban}` : "", s.say("thanks")])}</p>`,
  );
}

export function boxes(s: Scenario, title = s.say("invoice"), sign = 1): string {
  const box = (label: string, value: string): string => `<td><span class="k">${label}</span><br>${value}</td>`;
  return page(
    ".k{font-size:7.5pt;color:#333}.grid td{border:1px solid #444;width:25%;padding:4px 6px}.items{margin-top:16px}.items th,.items td{border:1px solid #444}.items th{background:#ddd}.sums{width:40%;margin:10px 0 0 60%}.sums td{border:1px solid #444}h2{margin:0 0 6px;letter-spacing:2px}",
    `<table><tr><td style="width:60%">${lines([`<span style="font-size:15pt">${s.seller.name}</span>`, s.seller.street, s.seller.town, `Tel. 0${String(s.customer)}55`])}</td><td class="r"><h2>${title}</h2></td></tr></table>
<table class="grid" style="margin:14px 0"><tr>${box(s.say("number"), s.number)}${box(s.say("date"), s.day(s.issue))}${box(s.say("due"), s.day(s.due))}${box(s.say("customer"), s.customer)}</tr></table>
<table class="grid"><tr><td style="width:50%"><span class="k">${s.say("to")}</span><br>${lines([s.buyer.name, s.buyer.street, s.buyer.town])}</td><td style="width:50%"><span class="k">${s.say("ship")}</span><br>${lines([s.buyer.name, "Depot 2", s.buyer.town])}</td></tr></table>
${itemTable(s, ["pos", "item", "qty", "price", "vat", "sum"], sign)}
<table class="sums">${sumRows(s, sign)
      .map(([label, amount]) => `<tr><td>${label}</td><td class="r">${amount}</td></tr>`)
      .join("")}</table>
<p style="font-size:8pt;margin-top:30px">${s.seller.name} · ${s.seller.street} · ${s.seller.town} · ${s.say("vatid")}: ${s.seller.vatId}${s.iban ? ` · IBAN: ${s.iban}` : ""}</p>`,
  );
}

/** Sums first, details behind: as utilities and telephone companies bill. */
export function utility(s: Scenario, title = s.say("invoice"), sign = 1): string {
  return page(
    ".due{border:2px solid #000;padding:8px;width:44%;float:right}.items{margin-top:10px}.items th{text-align:left;border-bottom:2px solid #000}.k{color:#555}",
    `<div class="due">${lines([`${title} ${s.number}`, `${s.say("date")}: ${s.day(s.issue)}`, `${s.say("customer")}: ${s.customer}`, `<b>${s.say("total")}: ${s.money(sign * s.gross)}</b>`, `${s.say("due")}: ${s.day(s.due)}`])}</div>
<div style="color:#036;font-size:18pt;font-weight:bold">${s.seller.name}</div><div style="font-size:8pt">${s.seller.street}, ${s.seller.town}</div>
<div style="margin:60px 0 50px">${lines([s.buyer.name, s.buyer.street, s.buyer.town])}</div><div style="clear:both"></div>
<p>${s.say("thanks")} ${s.say("terms")}</p>
<table style="width:60%">${sumRows(s, sign)
      .map(([label, amount]) => `<tr><td>${label}</td><td class="r">${amount}</td></tr>`)
      .join("")}</table>
<h3>${s.say("item")}</h3>${itemTable(s, ["item", "qty", "price", "sum"], sign)}
<p style="font-size:8pt">${s.say("vatid")} ${s.seller.vatId}${s.iban ? ` – IBAN ${s.iban}` : ""}</p>`,
  );
}

/** Till receipts on a narrow roll, prices with tax, the tax by rates below. */
export function till(s: Scenario): string {
  const totals = tillTotals(s);
  const row = (left: string, right: string): string => `<tr><td>${left}</td><td class="r">${right}</td></tr>`;
  return `<!doctype html><meta charset="utf-8"><style>@page{size:80mm 230mm;margin:4mm}body{font-family:"DejaVu Sans Mono",monospace;font-size:8.5pt;margin:0}table{width:100%;border-collapse:collapse}td{padding:0}.r{text-align:right}.c{text-align:center}</style>
<div class="c"><b>${s.seller.name}</b><br>${s.seller.street}<br>${s.seller.town}<br>${s.say("vatid")} ${s.seller.vatId}</div><p>${s.say("receipt")} ${s.customer}<br>${s.day(s.issue)} ${10 + ((s.gross % 9) | 0)}:${20 + ((s.net % 30) | 0)}</p>
<table>${s.lines.map((line) => (line.quantity === 1 ? row(line.description.slice(0, 24), s.money(line.total, false)) : `${row(line.description.slice(0, 24), "")}${row(`&nbsp;&nbsp;${writeQuantity(s, line.quantity)} x ${s.money(line.price, false)}`, s.money(line.total, false))}`)).join("")}</table><hr>
<table style="font-size:10pt;font-weight:bold">${row(s.say("total").replace(/ .*(incl|TTC|inkl|s DPH).*/, ""), s.money(totals.total))}</table>
<table>${row(s.say("cash"), s.money(totals.given, false))}${row(s.say("change"), s.money(totals.given - totals.total, false))}</table><br>
<table style="font-size:7.5pt">${totals.taxes.map(({ rate, base, tax }) => `<tr><td>${s.say("vat").split(" ").at(-1)} ${writeRate(s, rate)}</td><td class="r">${s.money(base, false)}</td><td class="r">${s.money(tax, false)}</td></tr>`).join("")}</table>
<p class="c">${s.say("thanks")}</p>`;
}

/** On a till slip the prices of the lines include the tax. */
export function tillTotals(s: Scenario): {
  total: number;
  given: number;
  taxes: { rate: number; base: number; tax: number }[];
} {
  const round = (value: number): number => Math.round(value * 100) / 100;
  const total = round(s.lines.reduce((sum, line) => sum + line.total, 0));
  const step = s.country.decimals === 0 ? 5000 : 50;
  const taxes = [...new Set(s.lines.map((line) => line.rate))].map((rate) => {
    const own = s.lines.filter((line) => line.rate === rate).reduce((sum, line) => sum + line.total, 0);
    const tax = round((own * rate) / (100 + rate));
    return { rate, base: round(own - tax), tax: s.country.decimals === 0 ? Math.round(tax) : tax };
  });
  return { total, given: Math.ceil(total / step) * step, taxes };
}

/** Text that nobody sees, around an invoice that everybody does. */
export function hidden(s: Scenario): string {
  const decoy = (style: string, code: string): string =>
    `<div style="${style}">${s.say("number")}: ${code} ${s.say("total")} ${s.money(9999.99)} ${s.say("due")}: ${s.day("2031-01-09")} IBAN DE02 1203 0000 0000 2020 51</div>`;
  return saas(s).replace(
    "<h1>",
    `${decoy("color:#fff", "WHITE-4711")}${decoy("font-size:0.6px", "TINY-4712")}${decoy("position:absolute;left:-4000px;top:0", "AWAY-4713")}${decoy("display:none", "NONE-4714")}${decoy("opacity:0;position:absolute;top:0", "CLEAR-4715")}<h1>`,
  );
}
