import { findIbans } from "../reading/checks.ts";
import { findDates } from "../reading/dates.ts";
import { boxOfSpan, overlapX, type Row, type Segment, union } from "../reading/layout.ts";
import { type Found, valuesNear } from "./candidates.ts";
import { type Context, isMoney } from "./context.ts";
import { type Finding, findingIn } from "./finding.ts";
import { indexPhrases, labelsIn, makePhrase } from "./labels.ts";

export interface Transaction {
  date: string | null;
  description: string | null;
  debit: number | null;
  credit: number | null;
  balance: number | null;
}

export interface BankStatement {
  readonly fields: Record<string, Finding>;
  readonly transactions: readonly Finding<Transaction>[];
}

const words = {
  account_holder:
    "account holder|account name|holder|customer|name|client|kontoinhaber|inhaber|kunde|titulaire|titulaire du compte|titular|intestatario|intestato a|rekeninghouder|prepared for|account owner|customer name|titular da conta|titular de la cuenta|titolare|posiadacz|posiadacz rachunku|wlasciciel rachunku|kontohavare|kontoinnehavare|kontohaver|kontoeier|majitel uctu|titular cont|szamlatulajdonos|tilinomistaja",
  account_number:
    "account number|account no|account|acct no|account #|a c no|konto|kontonummer|konto nr|iban|numero de compte|compte n|no de compte|numero de cuenta|cuenta|n conto|numero conto|conto|rekeningnummer|rekening|numero da conta|numero de conta|n de conta|conta|n de compte|n compte|n de cuenta|n cuenta|n de rekening|numer rachunku|nr rachunku|rachunek|kontonr|tilinumero|cislo uctu|szamlaszam",
  period:
    "statement period|period|for the period|statement dates|statement date range|zeitraum|abrechnungszeitraum|vom|periode|du|periodo|periodo de|from|covering|okres|za okres|perioden|obdobi|kausi|idoszak",
  opening_balance:
    "opening balance|balance brought forward|brought forward|previous balance|starting balance|beginning balance|start balance|balance at start|balance forward|anfangssaldo|alter saldo|alter kontostand|saldovortrag|solde initial|ancien solde|solde precedent|solde d ouverture|saldo inicial|saldo anterior|saldo iniziale|saldo precedente|beginsaldo|vorig saldo|opening|saldo poczatkowe|saldo otwarcia|ingaende saldo|ingaende balans|primosaldo|inngaende saldo|alkusaldo|pocatecni zustatek|pocatecni stav|sold initial|nyito egyenleg|startsaldo",
  closing_balance:
    "closing balance|ending balance|new balance|balance carried forward|carried forward|final balance|end balance|balance at end|current balance|endsaldo|neuer saldo|neuer kontostand|schlusssaldo|solde final|nouveau solde|solde de cloture|saldo final|saldo actual|saldo finale|nuovo saldo|eindsaldo|nieuw saldo|closing|saldo koncowe|saldo zamkniecia|utgaende saldo|utgaende balans|ultimosaldo|loppusaldo|konecny zustatek|konecny stav|sold final|zaro egyenleg|slutsaldo",
} as const;
const headerWords = {
  date: "date|datum|fecha|data|buchungstag|transaction date|posting date|post date|value date|booking date|date operation|trans date|data operacji|data ksiegowania|bokforingsdag|bogforingsdato|dato|paivays|datum operace|data tranzactiei|konyveles datuma|data operazione|data contabile|data movimento|fecha operacion|fecha valor|boekdatum|boekingsdatum|wertstellung",
  description:
    "description|details|transaction|particulars|narrative|verwendungszweck|buchungstext|text|libelle|operation|operations|concepto|descripcion|descrizione|omschrijving|descricao|reference|payee|memo|transaction details|type and description|activity|opis operacji|opis|tytul|beskrivning|tekst|forklaring|selite|popis|descriere|leiras|causale|movimento|mededelingen|buchung|movimiento|historico",
  debit:
    "debit|debits|withdrawal|withdrawals|money out|paid out|payments|out|soll|lastschrift|ausgang|belastung|cargo|debe|addebito|addebiti|uscite|dare|af|debito|debitos|dr|charges|payments out|debit amount|spent|obciazenia|obciazenie|wyplaty|uttag|udbetaling|haevet|ut|otto|vydaje|terhelés|terheles|uscita|saidas|saida|cargos|retiros|depenses|afschrijving",
  credit:
    "credit|credits|deposit|deposits|money in|paid in|receipts|in|haben|gutschrift|eingang|abono|haber|accredito|accrediti|entrate|avere|bij|credito|creditos|cr|payments in|credit amount|received|uznania|uznanie|wplaty|insattning|insattningar|indbetaling|indsat|inn|pano|prijmy|jovairas|entrata|entradas|entrada|abonos|ingresos|recettes|bijschrijving",
  amount:
    "amount|betrag|umsatz|montant|importe|importo|bedrag|valor|value|montante|kwota|belopp|belob|belop|maara|castka|suma|osszeg",
  balance:
    "balance|saldo|kontostand|solde|running balance|balance amount|saldo po operacji|balans|zustatek|egyenleg|sold",
} as const;
type HeaderRole = keyof typeof headerWords;

const wordIndex = indexPhrases(
  Object.entries(words).flatMap(([name, text]) =>
    text.split("|").map((phrase) => makePhrase(name as keyof typeof words, phrase, phrase.length > 6)),
  ),
);
const headerIndex = indexPhrases(
  Object.entries(headerWords).flatMap(([name, text]) =>
    text.split("|").map((phrase) => makePhrase(name as HeaderRole, phrase, true)),
  ),
);

/** Reads an account statement: whose, which period, and every movement, checked against the running balance. */
export function readBankStatement(context: Context): BankStatement {
  const fields: Record<string, Finding> = {};
  const bank = findBank(context);
  if (bank) fields.bank = bank;
  const take = <Value>(
    name: keyof typeof words,
    find: (text: string, segment?: Segment) => Found<Value>[],
  ): Finding<Value> | undefined => {
    const candidates = context.layout.segments
      .flatMap((segment) => labelsIn(segment, wordIndex))
      .filter((label) => label.name === name && label.from <= 3)
      .flatMap((label) =>
        valuesNear(
          context.layout,
          label,
          (segment) => labelsIn(segment, wordIndex).some((other) => other.from <= 2 && other.isStrong),
          find,
          { maxRowsBelow: 2 },
        ),
      )
      .map((candidate) => ({ candidate, points: candidate.fit * (candidate.label.isStrong ? 1 : 0.6) }))
      .sort((left, right) => right.points - left.points);
    const winner = candidates[0];
    return (
      winner &&
      findingIn(winner.candidate.value, winner.candidate.segment, winner.candidate.box, {
        fit: winner.points,
        isLabelled: winner.candidate.label.isStrong,
        margin: 0.7,
      })
    );
  };
  const holder = take("account_holder", nameIn);
  const number = take("account_number", accountIn) ?? firstIban(context);
  const opening = take("opening_balance", (text) => moneyIn(context, text));
  const closing = take("closing_balance", (text) => moneyIn(context, text));
  const period = take("period", (text) => periodIn(context, text)) ?? anyPeriod(context);
  if (holder) fields.account_holder = holder;
  if (number) fields.account_number = number;
  if (period) {
    fields.period_start = { ...period, value: period.value[0] };
    fields.period_end = { ...period, value: period.value[1] };
  }
  const transactions = findTransactions(context, opening?.value, period?.value);
  const first = transactions[0]?.value;
  const last = transactions.at(-1)?.value;
  const agreesAtEnd =
    closing !== undefined && last?.balance !== null && last?.balance !== undefined
      ? Math.abs(closing.value - last.balance) < 0.011
      : undefined;
  const start =
    first?.balance === null || first?.balance === undefined
      ? undefined
      : first.balance + (first.debit ?? 0) - (first.credit ?? 0);
  const agreesAtStart =
    opening !== undefined && start !== undefined ? Math.abs(opening.value - start) < 0.011 : undefined;
  if (opening) fields.opening_balance = { ...opening, evidence: { ...opening.evidence, isChecked: agreesAtStart } };
  if (closing) fields.closing_balance = { ...closing, evidence: { ...closing.evidence, isChecked: agreesAtEnd } };
  return { fields, transactions };
}

function findBank(context: Context): Finding<string> | undefined {
  const top = context.layout.segments.filter((segment) => segment.page === 1 && segment.box[1] < 0.3);
  const named =
    top.find(
      (segment) =>
        /\b(bank|banque|banco|banca|sparkasse|volksbank|credit union|building society|caisse|savings|financial|trust)\b/i.test(
          segment.text,
        ) && !/statement|details|:/i.test(segment.text),
    ) ?? context.layout.segments[0];
  return named && findingIn(named.text, named, named.box, { fit: 0.7, isLabelled: false, margin: 0.6 });
}

function nameIn(text: string): Found<string>[] {
  const match = /[^\s:.-].*$/u.exec(text.replace(/^[\s:.-]+/, (lead) => " ".repeat(lead.length)));
  if (!match || !/\p{L}{2}/u.test(match[0]) || /^(number|no|nr|details)\b/i.test(match[0])) return [];
  return [{ value: match[0].trim(), from: match.index, to: match.index + match[0].length }];
}

function accountIn(text: string): Found<string>[] {
  const iban = findIbans(text)[0];
  if (iban) return [{ value: iban.value, from: iban.from, to: iban.to }];
  const match = /(?<![\d/.,])[\dXx*•-][\dXx*• -]{3,24}\d(?![\d/.,]\d)/.exec(text);
  if (!match || findDates(text, "dmy").length > 0) return [];
  return [{ value: match[0].trim().replace(/\s+/g, " "), from: match.index, to: match.index + match[0].length }];
}

/** An IBAN whose check digits hold needs no label. */
function firstIban(context: Context): Finding<string> | undefined {
  for (const segment of context.layout.segments) {
    const iban = findIbans(segment.text).find((code) => code.isValid);
    if (iban)
      return findingIn(iban.value, segment, boxOfSpan(segment, iban.from, iban.to), {
        fit: 0.5,
        isLabelled: false,
        isChecked: true,
        margin: 0.5,
      });
  }
  return undefined;
}

function moneyIn(context: Context, text: string): Found<number>[] {
  return context
    .numbersOf(text)
    .filter(isMoney)
    .map((number) => ({ value: number.value, from: number.from, to: number.to }));
}

function periodIn(context: Context, text: string): Found<[string, string]>[] {
  const dates = findDates(text, context.dateOrder);
  if (dates.length >= 2) return [{ value: [dates[0]!.iso, dates[1]!.iso], from: dates[0]!.from, to: dates[1]!.to }];
  // "1 - 31 March 2024" and "1 March - 31 March 2024" leave the year to the second date.
  const short = /(\d{1,2}(?:[ ./-]\p{L}{3,})?)\s*(?:-|–|to|bis|au|al)\s*(?=\d{1,2})/iu.exec(text);
  const end = dates[0];
  if (!short || !end) return [];
  const rest = /^\d+$/.test(short[1]!.trim())
    ? end.iso.slice(0, 8) + short[1]!.trim().padStart(2, "0")
    : findDates(`${short[1]} ${end.iso.slice(0, 4)}`, context.dateOrder)[0]?.iso;
  return rest ? [{ value: [rest, end.iso], from: short.index, to: end.to }] : [];
}

function anyPeriod(context: Context): Finding<[string, string]> | undefined {
  for (const segment of context.layout.segments.slice(0, 60)) {
    const found = periodIn(context, segment.text)[0];
    if (found)
      return findingIn(found.value, segment, boxOfSpan(segment, found.from, found.to), {
        fit: 0.5,
        isLabelled: false,
        margin: 0.5,
      });
  }
  return undefined;
}

interface Header {
  readonly row: Row;
  readonly columns: { role: HeaderRole; segment: Segment }[];
}

function findHeader(row: Row): Header | undefined {
  const columns = row.segments.flatMap((segment) => {
    const label = labelsIn(segment, headerIndex).find((candidate) => candidate.from <= 1);
    return label ? [{ role: label.name, segment }] : [];
  });
  const roles = new Set(columns.map((column) => column.role));
  return roles.has("date") &&
    (roles.has("balance") || roles.has("amount") || roles.has("debit") || roles.has("credit")) &&
    columns.length >= 3
    ? { row, columns }
    : undefined;
}

/** Reads rows that begin with a date; the running balance decides what is debit and what is credit. */
function findTransactions(
  context: Context,
  opening: number | undefined,
  period: [string, string] | undefined,
): Finding<Transaction>[] {
  const found: {
    transaction: Transaction;
    box: Transaction extends never ? never : readonly [number, number, number, number];
    segment: Segment;
    isChecked: boolean | undefined;
    last: Row;
  }[] = [];
  let header: Header | undefined;
  let balance = opening;
  for (const row of context.layout.rows) {
    header = findHeader(row) ?? header;
    if (header?.row === row) continue;
    const lead = row.segments.find(
      (segment) =>
        findDates(segment.text, context.dateOrder).length > 0 ||
        /^\d{1,2}[ ./-](\d{1,2}|\p{L}{3})\.?$/u.test(segment.text),
    );
    const amounts = row.segments.flatMap((segment) =>
      context
        .numbersIn(segment)
        .filter(isMoney)
        .map((number) => ({ segment, number, box: boxOfSpan(segment, number.from, number.to) })),
    );
    const isMovement = lead && lead === row.segments[0] && amounts.length > 0 && lead.box[0] < 0.4;
    if (!isMovement) {
      const open = found.at(-1);
      const text = row.segments.map((segment) => segment.text).join(" ");
      if (
        open &&
        header &&
        amounts.length === 0 &&
        row.page === open.last.page &&
        row.top - open.last.bottom < context.layout.lineHeight * 1.2 &&
        !labelsIn(row.segments[0]!, wordIndex).some((label) => label.isStrong)
      ) {
        open.transaction.description = [open.transaction.description, text].filter(Boolean).join(" ");
        open.last = row;
      }
      continue;
    }
    const dates = findDates(lead.text, context.dateOrder);
    const date = dates[0]?.iso ?? dateInPeriod(context, lead.text, period);
    const roleOf = (box: readonly [number, number, number, number]): HeaderRole | undefined => {
      const near = header?.columns
        .filter((column) => column.role !== "date" && column.role !== "description")
        .map((column) => ({
          role: column.role,
          distance:
            overlapX(column.segment.box, box) > 0.3
              ? 0
              : Math.min(Math.abs(column.segment.box[2] - box[2]), Math.abs(column.segment.box[0] - box[0])),
        }))
        .sort((left, right) => left.distance - right.distance)[0];
      return near && near.distance < 0.08 ? near.role : undefined;
    };
    const byRole = new Map<HeaderRole, number>();
    for (const amount of amounts) {
      const role = roleOf(amount.box);
      if (role && !byRole.has(role)) byRole.set(role, amount.number.value);
    }
    const after = byRole.get("balance") ?? (amounts.length > 1 ? amounts.at(-1)!.number.value : undefined);
    const moved =
      byRole.get("debit") ??
      byRole.get("credit") ??
      byRole.get("amount") ??
      (amounts.length > 1 ? amounts[0]!.number.value : after === undefined ? amounts[0]!.number.value : undefined);
    if (moved === undefined) continue;
    let isDebit = byRole.has("debit")
      ? true
      : byRole.has("credit")
        ? false
        : moved < 0 || /\bDR\b|\bS\b$/.test(row.segments.at(-1)!.text);
    let isChecked: boolean | undefined;
    if (balance !== undefined && after !== undefined) {
      const size = Math.abs(moved);
      if (Math.abs(balance - size - after) < 0.011) isDebit = true;
      else if (Math.abs(balance + size - after) < 0.011) isDebit = false;
      isChecked = Math.abs(balance - size - after) < 0.011 || Math.abs(balance + size - after) < 0.011;
    }
    balance = after ?? (balance === undefined ? undefined : balance + (isDebit ? -Math.abs(moved) : Math.abs(moved)));
    const texts = row.segments.filter(
      (segment) =>
        segment !== lead && !amounts.some((amount) => amount.segment === segment) && /\p{L}/u.test(segment.text),
    );
    const inLead = lead.text.slice(dates.at(-1)?.to ?? lead.text.length).trim();
    const description = [inLead, ...texts.map((segment) => segment.text)]
      .filter((text) => /\p{L}/u.test(text))
      .join(" ");
    found.push({
      transaction: {
        date,
        description: description || null,
        debit: isDebit ? Math.abs(moved) : null,
        credit: isDebit ? null : Math.abs(moved),
        balance: after ?? null,
      },
      box: row.segments.map((segment) => segment.box).reduce(union),
      segment: lead,
      isChecked,
      last: row,
    });
  }
  return found.map((entry) =>
    findingIn(entry.transaction, entry.segment, entry.box, {
      fit: header ? 0.9 : 0.5,
      isLabelled: header !== undefined,
      isChecked: entry.isChecked,
      margin: 0.8,
    }),
  );
}

/** "02 Mar" takes its year from the statement's period, also across a new year. */
function dateInPeriod(context: Context, text: string, period: [string, string] | undefined): string | null {
  if (!period) return null;
  for (const edge of [period[0], period[1]]) {
    const separator = /^\d{1,2}[./-]\d{1,2}\.?$/.test(text.trim())
      ? (text.trim().replace(/\.$/, "").slice(-3).match(/[./-]/)?.[0] ?? "/")
      : " ";
    const date = findDates(`${text.trim().replace(/\.$/, "")}${separator}${edge.slice(0, 4)}`, context.dateOrder)[0]
      ?.iso;
    if (date && date >= period[0] && date <= period[1]) return date;
  }
  return null;
}
