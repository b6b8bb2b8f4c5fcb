import type { Box } from "../../ports/document-reader.ts";
import { findDates } from "../reading/dates.ts";
import { boxOfSpan, type Row, union } from "../reading/layout.ts";
import type { Context } from "./context.ts";
import { type Finding, findingIn } from "./finding.ts";
import { findLineItems, type LineItem } from "./line-items.ts";
import { companySuffix, isPostalLine, isStreetLine } from "./party-words.ts";
import { findReceiptTotal } from "./receipt-total.ts";

export interface Receipt {
  readonly fields: Record<string, Finding>;
  readonly lines: readonly Finding<LineItem>[];
}

/** Reads a till receipt: who, where, when, how much. */
export function readReceipt(context: Context): Receipt {
  const fields: Record<string, Finding> = {};
  const company = findCompany(context);
  if (company) fields.company = company.finding;
  const address = findAddress(context, company?.rows.at(-1));
  if (address) fields.address = address;
  const date = findReceiptDate(context);
  if (date) fields.date = date;
  const { total, tax } = findReceiptTotal(context);
  if (total) fields.total = total;
  if (tax) fields.tax = tax;
  if (context.currency) {
    fields.currency = {
      value: context.currency,
      page: null,
      box: null,
      evidence: { reading: 1, fit: 0.8, isLabelled: true, margin: 0.8 },
    };
  }
  return { fields, lines: findLineItems(context) };
}

const shopWords =
  /\b(restoran|restaurant|restaurante|ristorante|kedai|kafe|café|cafe|pasaraya|supermarket|supermercado|supermarkt|market|mart|store|shop|stationery|hardware|pharmacy|farmasi|apotheke|pharmacie|farmacia|bakery|bakeries|bäckerei|boulangerie|panadería|hotel|bistro|kopitiam|enterprise|trading|perniagaan|syarikat|pizza|grocer|grocery|books|seafood|noodle|house|electrical|marketing|distributor|foods?|bar|grill|station|petrol|service area|confectionery|gmbh|kitchen|coffee|tankstelle|brasserie|tienda|winkel|loja|negozio)\b/i;
const notCompany =
  /(formerly|known as|f\.?k\.?a|licensee|welcome|thank|invoice|receipt|cash bill|cashbill|^tel|phone|fax|www\.|@|gst|tax|reg(istration)?\.? ?no|co\.? ?reg|^no[.:,]|jalan|jln|^lot|^level|^unit|date|time|cashier|bill|original|copy|customer|^table|order|page \d|powered|tq for|terima kasih|facebook|operator|closed|^\W*(kvitto|kvittering|kassabon|kassenbon|quittung|beleg|scontrino|paragon|ticket|recibo|talão|factura|fatura|facture|účtenka|kuitti)\b)/i;

function rowText(row: Row): string {
  return row.segments.map((segment) => segment.text).join(" ");
}

/** The name over the address: the first line with a legal form, else the most prominent line at the top. */
function findCompany(context: Context): { finding: Finding<string>; rows: Row[] } | undefined {
  const end = headEnd(context);
  const head = context.layout.rows.filter((row) => row.page === 1 && row.index < end).slice(0, 12);
  const usual = context.layout.lineHeight;
  const firstPlace = head.findIndex((row) => looksLikeAddress(rowText(row)) && !legalForm.test(rowText(row)));
  const scored = head
    .map((row, order) => {
      const text = rowText(row);
      const letters = text.match(/\p{L}/gu)?.length ?? 0;
      let points = 0;
      if (letters < 3 || letters < text.replace(/\s/g, "").length * 0.45) return { row, points: -1 };
      if (notCompany.test(text) && !companySuffix.test(text)) points -= 0.9;
      if (/formerly|f\.?k\.?a\b|known as|licensee|careline|hotline|retail sb/i.test(text)) points -= 0.8;
      if (legalForm.test(text)) points += 0.75;
      else if (shopWords.test(text)) points += 0.3;
      points += Math.max(0, 0.45 - order * 0.09);
      // Names under the address are owners, branches or customers.
      if (firstPlace >= 0 && order > firstPlace) points -= 0.7;
      const height = Math.max(...row.segments.map((segment) => segment.height));
      if (height > usual * 1.3) points += 0.2;
      if (text === text.toLowerCase()) points -= 0.5;
      if (looksLikeAddress(text)) points -= 0.5;
      if (/^\W*\d/.test(text) && !legalForm.test(text)) points -= 0.4;
      return { row, points };
    })
    .sort((left, right) => right.points - left.points || left.row.index - right.row.index);
  const winner = scored[0];
  if (!winner || winner.points <= -0.5) return undefined;
  const rows = [winner.row];
  let text = cleanCompany(rowText(winner.row));
  // A legal form (nearly) on a line of its own ends a name that began above it.
  const isTail =
    /^\W*(?:[\p{L}&'.)]+\W+){0,1}(?:sdn|bhd|s\/b|gmbh|ltd|limited|llc|inc|pte|pvt|co|company|enterprise)\b/iu.test(
      text,
    ) || /^[^(]*\)/.test(text);
  for (let index = winner.row.index - 1; isTail && index >= 0 && rows.length < 4; index--) {
    const above = context.layout.rows[index]!;
    const line = rowText(above);
    const gap = rows[0]!.top - above.bottom;
    if (
      !head.includes(above) ||
      notCompany.test(line) ||
      !/\p{L}{3}/u.test(line) ||
      /\d{3}/.test(line) ||
      gap > usual * 1.3 ||
      line === line.toLowerCase() ||
      // A logo over the name is set otherwise than the name.
      (rows.length > 1 && isCapitals(line) !== isCapitals(rowText(rows[0]!)))
    )
      break;
    rows.unshift(above);
    text = `${cleanCompany(line)} ${text}`;
  }
  const below = context.layout.rows[winner.row.index + 1];
  if (
    below &&
    !legalForm.test(text) &&
    /^[\s(]*(\([\p{L}\s.]{1,20}\)\s*)?(sdn\.? ?bhd|gmbh|ltd|s\/b|llc|inc)\b/iu.test(rowText(below))
  ) {
    rows.push(below);
    text = `${text} ${cleanCompany(rowText(below))}`;
  }
  const rival = scored[1];
  const box = rows.flatMap((row) => row.segments.map((segment) => segment.box)).reduce(union);
  const segment = winner.row.segments[0]!;
  return {
    rows,
    finding: findingIn(text, segment, box, {
      fit: Math.max(0, Math.min(1, winner.points)),
      isLabelled: legalForm.test(text),
      margin: rival ? Math.max(0, Math.min(1, winner.points - rival.points)) : 1,
    }),
  };
}

const legalForm =
  /(?<!\d{4} )\b(sdn\.? ?bhd|sdn|s\/b|bhd|s\.b\.?|gmbh|ltd|limited|llc|inc|corp|pte|plc|sarl|s\.a\.r\.l|sas|s\.?l\.?u?\.?|s\.?r\.?l\.?|b\.v\.|n\.v\.|lda|kg|e\.k\.|oy|ab|s\.p\.a\.?|company|co\. \(m\))(?![\p{L}])/iu;

function isCapitals(text: string): boolean {
  return text === text.toUpperCase();
}

function cleanCompany(text: string): string {
  return (
    text
      // Specks beside the name are recognised as a letter or two behind its end.
      .replace(/\b(bhd|ltd|llc|inc|gmbh|limited|plc)(\.?)\s+[^\p{L}\d(&]*(?!kg|co|ag|ab|oy)\p{L}{1,2}\W*$/iu, "$1$2")
      .replace(/\s+\/\p{L}$/u, "")
      .replace(/\s+\d{4,}\s?-\s?[A-Z]\b.*$/, "")
      // The legal form is the word recognition breaks most often, and the one that can be told for certain.
      .replace(/(?<=\s)(s)[di1]n([\s.]{0,3})[bhr][hn][diu](?=[\s.]|$)/gi, (_, lead: string, gap: string) =>
        lead === "S" && /[A-Z]{4}/.test(text) ? `SDN${gap}BHD` : `Sdn${gap}Bhd`,
      )
      .replace(
        /[[({]?\s*(?:co(?:mpany)?\.? ?(?:reg|no)\.?:? ?)?(?:no\.? ?)?[A-Z]{0,3}\d{4,}[\d-]*\s?-?\s?[A-Z0-9]{0,2}\s*[\])}]?\s*$/i,
        "",
      )
      .replace(/\s*[[(][^)\]]*\d{4,}[^)\]]*[\])]?\s*/g, " ")
      .replace(/^[\W_]+(?=[\p{L}\d(])|[\s,;:*#-]+$/gu, "")
      .trim()
  );
}

/** Where the head of the receipt ends: at the first heading, number, table or amount below the address. */
function headEnd(context: Context): number {
  for (const row of context.layout.rows) {
    if (row.index < 2) continue;
    const text = rowText(row);
    if (
      /\b(qty|description|item|price|amount|cashier|table no|receipt (no|#)|bill (no|#)|invoice (no|#)|menge|preis|prix)\b/i.test(
        text,
      )
    )
      return row.index;
    if (
      row.segments.some((segment) => context.numbersIn(segment).some((number) => number.decimals === 2)) &&
      row.index > 3
    )
      return row.index;
  }
  return Math.min(context.layout.rows.length, 14);
}

const addressWords =
  /(\bno[.,:]* ?\d|^leve[l1] ?\d|\blot\b|\bjalan\b|\bjln\b|\bjl\b|\blorong\b|\btaman\b|\bbandar\b|\blevel\b|\bunit\b|\bfloor\b|\bflr\b|\bplaza\b|\bmall\b|\bkawasan\b|\bkampung\b|\bkg\b|\bbatu\b|\bseksyen\b|\bsection\b|\blebuh|\bpersiaran\b|\bpt ?\d|street|road|avenue|\bave\b|\bst\b|\brd\b|\blane\b|\bblvd\b|straße|strasse|str\.|\brue\b|\bcalle\b|\bvia\b|straat|\brua\b|\bpostcode\b|\bcity\b|\bbuilding\b|\bblock\b|\bplatz\b|\bweg\b)/i;

function looksLikeAddress(text: string): boolean {
  return (
    addressWords.test(text) ||
    /(?<!\d)\d{5}(?!\d)\s*,?\s*\p{L}{3}/u.test(text) ||
    /^\d{1,4}[A-Z]?\s*,\s*\p{L}/iu.test(text) ||
    /\b[A-Z]{2} \d{5}\b/.test(text) ||
    /\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b/.test(text)
  );
}

const states =
  /\b(selangor|johor|kuala lumpur|penang|pulau pinang|perak|melaka|malacca|negeri sembilan|kedah|kelantan|pahang|perlis|sabah|sarawak|terengganu|labuan|putrajaya|darul ehsan|malaysia|singapore|sel|d\.e\.?|germany|deutschland|france|españa|italia|usa|united kingdom)\b/i;
const headStop =
  /(\btel\b|\bphone\b|\bfax\b|gst|tax|invoice|receipt|\bdate\b|www\.|@|reg\.? ?no|company no|co\.? ?no|roc|cashier|\bbill\b|\border\b|hotline|careline|ssm|\btime\b|\btable\b|website|email|ust-?id|steuer|siret|\btva\b|\bvat\b|\bnif\b|\bcif\b|\bnip\b|\bp\.? ?iva\b|partita iva|\bbtw\b|\bkvk\b|momsreg|org\.? ?n|\bcvr\b|\bičo?\b|\bregon\b|\btlf|telefon|téléphone|\bkass[ae]\b|\bkasa\b|\bkassabon\b|\bbon\b|\bbeleg\b|\bcaisse\b|\bticket\b|\bcaja\b|\bcassa\b|scontrino|documento|\bcaixa\b|\bfatura\b|\bfactura\b|paragon|kvitto|kvittering|\bkuitti\b|účtenka|whatsapp|hp ?:|\bh\/p\b|^\W*(cash|sales)\b)/i;

/** The lines of the address: from the first that looks like one to the last before telephone and tax numbers. */
function findAddress(context: Context, companyRow: Row | undefined): Finding<string> | undefined {
  const start = companyRow ? companyRow.index + 1 : 0;
  const head = context.layout.rows.filter((row) => row.page === 1 && row.index >= start && row.index < start + 13);
  const texts = head.map(rowText);
  const isStop = (text: string): boolean => headStop.test(text) && !/\btaman\b|\bjalan\b|\bjln\b/i.test(text);
  const isTown = (text: string | undefined): boolean => text !== undefined && isPostalLine(text) && !isStop(text);
  const isUsable = (text: string): boolean => !isStop(text) && !notAddress(text);
  let first = texts.findIndex(
    (text, index) =>
      isUsable(text) && (looksLikeAddress(text) || isTown(text) || (isStreetLine(text) && isTown(texts[index + 1]))),
  );
  if (first < 0) return undefined;
  // A branch called after its mall comes before the address itself.
  if (!/[\d,]/.test(texts[first]!) && /^\W*(no|lot|unit|level|\d)/i.test(texts[first + 1] ?? "")) first++;
  const before = texts[first - 1];
  const isStreetOverTown = before !== undefined && isTown(texts[first]) && isStreetLine(before);
  if (before !== undefined && (isStreetOverTown || /\d.*,|,\s*$/.test(before)) && isUsable(before)) first--;
  let last = first;
  for (let index = first + 1; index < head.length; index++) {
    const text = texts[index]!;
    if (isStop(text) || notAddress(text) || findDates(text, "dmy").length > 0) break;
    if (head[index]!.top - head[index - 1]!.bottom > context.layout.lineHeight * 1.7) break;
    const known = texts.slice(first, index);
    const hasPostcode = known.some(isPostcoded);
    const isDone = hasPostcode && /\.\s*$/.test(known.at(-1)!);
    const isPlace = looksLikeAddress(text) || isTown(text);
    const isWords = /^[\p{L}\s,.'()-]+$/u.test(text) && text.split(/\s+/).length <= 4;
    const isState = states.test(text) && text.length < 45;
    const goesOn =
      /,\s*$/.test(known.at(-1)!) ||
      (!hasPostcode && looksLikeAddress(texts[index + 1] ?? "") && !isStop(texts[index + 1]!));
    if (isDone && !isState) break;
    if (
      hasPostcode
        ? !(isState || (isPlace && /^\d{5}/.test(text)) || (isWords && !known.some((line) => states.test(line))))
        : !(isPlace || isWords || goesOn)
    )
      break;
    last = index;
  }
  const rows = head.slice(first, last + 1);
  const lines = texts.slice(first, last + 1).map((text) =>
    text
      .replace(/^\(?co\.? ?(?:reg\.? ?)?no\.?:? ?\d{4,}[- ]?[A-Z]?\b\)?\s*/i, "")
      .replace(/\s*[[(]?\b(tel|fax|gst)\b.*$/i, "")
      .trim(),
  );
  const box: Box = rows.flatMap((row) => row.segments.map((segment) => segment.box)).reduce(union);
  const reading = Math.min(
    ...rows.flatMap((row) => row.segments.map((part) => (part.source === "ocr" ? part.confidence : 1))),
  );
  const hasPostcode = lines.some(isPostcoded);
  const finding = findingIn(lines.join(" "), rows[0]!.segments[0]!, box, {
    fit: hasPostcode ? 0.9 : 0.5,
    isLabelled: hasPostcode,
    margin: Math.min(1, rows.length / 3),
  });
  return { ...finding, evidence: { ...finding.evidence, reading } };
}

function isPostcoded(text: string): boolean {
  return /(?<!\d)\d{5}(?!\d)/.test(text) || isPostalLine(text);
}

/** Registration numbers, former names and branch names stand between company and address on many receipts. */
function notAddress(text: string): boolean {
  const bare = text.trim();
  if (/^[([{]?\s*[A-Z]{0,4}\s*[\d -]{4,}-?\s*[A-Z]{0,2}\s*[)\]}]?$/i.test(bare) && !/\d{5}\s+\p{L}{3}/u.test(bare))
    return true;
  return (
    /formerly|known as|licensee|^\(.*\)$|\bco[mn]pany no|^\(?co\.? ?(reg|no)\b|^site\b|^reg\b|owned by/i.test(bare) &&
    !/\bjalan\b|\bjln\b|\bno\.? ?lot\b/i.test(bare)
  );
}

function findReceiptDate(context: Context): Finding<string> | undefined {
  const all = context.layout.segments.flatMap((segment) =>
    findDates(segment.text, context.dateOrder).map((date) => {
      const after = segment.text.slice(date.to, date.to + 12);
      const row = rowText(context.layout.rows[segment.row]!);
      let points = 0.4;
      if (/\b(date|datum|fecha|data|tarikh|dated)\b/i.test(row)) points += 0.4;
      if (/\b\d{1,2}:\d{2}/.test(after) || /\b\d{1,2}:\d{2}/.test(row)) points += 0.15;
      if (/\b(exp|expiry|valid|due|delivery|promo|until|before|return|member|since|gst.*(from|effective))/i.test(row))
        points -= 0.4;
      const year = Number(date.iso.slice(0, 4));
      if (year < 2000 || year > new Date().getUTCFullYear() + 1) points -= 0.4;
      return { segment, date, points };
    }),
  );
  const ranked = all.sort((left, right) => right.points - left.points || left.segment.row - right.segment.row);
  const winner = ranked[0];
  if (!winner) return undefined;
  const agree = all.filter((other) => other.date.iso === winner.date.iso).length;
  const rival = ranked.find((other) => other.date.iso !== winner.date.iso);
  return findingIn(winner.date.iso, winner.segment, boxOfSpan(winner.segment, winner.date.from, winner.date.to), {
    fit: Math.max(0, Math.min(1, winner.points + (agree - 1) * 0.1)),
    isLabelled: winner.points >= 0.75,
    isChecked: agree > 1 ? true : undefined,
    margin: rival ? Math.max(0, Math.min(1, winner.points - rival.points + 0.1)) : 1,
  });
}
