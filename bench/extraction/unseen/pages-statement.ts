import type { Scenario } from "./scenario.ts";

export interface Movement {
  readonly date: string;
  readonly text: string;
  readonly amount: number;
  readonly balance: number;
}

export interface Statement {
  readonly opening: number;
  readonly closing: number;
  readonly start: string;
  readonly end: string;
  readonly movements: readonly Movement[];
}

export function makeStatement(s: Scenario, texts: readonly string[], count = 9): Statement {
  const year = s.issue.slice(0, 4);
  const month = s.issue.slice(5, 7);
  const scale = s.country.currency === "HUF" ? 300 : 1;
  const round = (value: number): number => Math.round(value * 10 ** s.country.decimals) / 10 ** s.country.decimals;
  const opening = round((800 + s.random() * 4000) * scale);
  let balance = opening;
  let day = 1;
  const movements = Array.from({ length: count }, (_, index): Movement => {
    // Several on one day, as it happens.
    day = Math.min(28, day + (s.random() < 0.4 ? 0 : 1 + Math.floor(s.random() * 5)));
    const isIn = texts[index % texts.length] === texts[1] || texts[index % texts.length] === texts[5];
    const amount = round((isIn ? 1 : -1) * (8 + s.random() * (isIn ? 1900 : 320)) * scale);
    balance = round(balance + amount);
    return {
      date: `${year}-${month}-${String(day).padStart(2, "0")}`,
      text: texts[index % texts.length]!,
      amount,
      balance,
    };
  });
  return { opening, closing: balance, start: `${year}-${month}-01`, end: `${year}-${month}-28`, movements };
}

export function statementTruth(
  s: Scenario,
  statement: Statement,
  bank: string,
  account: string,
  hasBalance: boolean,
): Record<string, unknown> {
  return {
    bank,
    account_holder: s.buyer.name,
    account_number: account.replace(/ /g, ""),
    period_start: statement.start,
    period_end: statement.end,
    opening_balance: statement.opening,
    closing_balance: statement.closing,
    transactions: statement.movements.map(({ date, text, amount, balance }) => ({
      date,
      description: text,
      debit: amount < 0 ? -amount : null,
      credit: amount > 0 ? amount : null,
      balance: hasBalance ? balance : null,
    })),
  };
}

const style =
  "<!doctype html><meta charset=\"utf-8\"><style>@page{size:A4;margin:15mm}body{font-family:Georgia,'DejaVu Serif',serif;font-size:9.5pt}table{border-collapse:collapse;width:100%}td,th{padding:3px 6px;text-align:left}.r{text-align:right}.m th{border-bottom:1px solid #000}</style>";

/** Two columns for money out and in, a running balance, the opening balance as a first row. */
export function columns(s: Scenario, statement: Statement, bank: string, account: string): string {
  const head = [s.say("bdate"), s.say("text"), s.say("debit"), s.say("credit2"), s.say("balance")];
  const row = (cells: readonly string[]): string =>
    `<tr>${cells.map((cell, index) => `<td class="${index > 1 ? "r" : ""}">${cell}</td>`).join("")}</tr>`;
  return `${style}<h2>${bank}</h2><p><b>${s.say("statement")}</b></p><table style="width:70%"><tr><td>${s.say("holder")}</td><td>${s.buyer.name}</td></tr><tr><td>${s.say("account")}</td><td>${account}</td></tr><tr><td>${s.say("period")}</td><td>${s.day(statement.start)} - ${s.day(statement.end)}</td></tr></table><br>
<table class="m"><tr>${head.map((text, index) => `<th class="${index > 1 ? "r" : ""}">${text}</th>`).join("")}</tr>
${row(["", s.say("opening"), "", "", s.money(statement.opening, false)])}
${statement.movements.map(({ date, text, amount, balance }) => row([s.day(date), text, amount < 0 ? s.money(-amount, false) : "", amount > 0 ? s.money(amount, false) : "", s.money(balance, false)])).join("")}
${row(["", s.say("closing"), "", "", s.money(statement.closing, false)])}</table>`;
}

/** One column of signed amounts, booking and value date, dates only where they change, balances above and below the list. */
export function signed(s: Scenario, statement: Statement, bank: string, account: string): string {
  let last = "";
  const rows = statement.movements.map(({ date, text, amount }) => {
    const shown = date === last ? "" : s.day(date);
    last = date;
    return `<tr><td>${shown}</td><td>${shown}</td><td>${text}<br><small>REF ${Math.abs(amount * 7919)
      .toFixed(0)
      .slice(0, 6)}</small></td><td class="r">${amount > 0 ? "+" : ""}${s.money(amount, false)}</td></tr>`;
  });
  return `${style}<table><tr><td><b style="font-size:14pt">${bank}</b></td><td class="r">${s.say("statement")} 4/${s.issue.slice(0, 4)}</td></tr></table><p>${s.buyer.name}<br>${s.buyer.street}<br>${s.buyer.town}</p><p>${s.say("holder")}: ${s.buyer.name}<br>${s.say("account")}: ${account}<br>${s.say("period")}: ${s.day(statement.start)} – ${s.day(statement.end)}</p>
<p class="r">${s.say("opening")}: <b>${s.money(statement.opening)}</b></p><table class="m"><tr><th>${s.say("bdate")}</th><th>${s.say("vdate")}</th><th>${s.say("text")}</th><th class="r">${s.say("amount")} (${s.country.currency})</th></tr>${rows.join("")}</table><p class="r">${s.say("closing")}: <b>${s.money(statement.closing)}</b></p>`;
}
