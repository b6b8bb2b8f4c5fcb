import type { DecodedLine } from "./decode-line.ts";
import { plainForm } from "./plain-form.ts";

const englishWords = new Set(
  "the and of to for in is on at by with from this that no not you your our we are be as all total date tax invoice receipt cash change amount qty price item thank please goods sold number order tel fax page item customer payment name address due balance subtotal description quantity unit".split(
    " ",
  ),
);
const otherWords = new Set(
  "der die das und von zu mit für auf ist im den dem ein eine nicht rechnung datum betrag gesamt summe menge steuer mwst ust straße bitte tage netto brutto kunde le la les et des du de en pour sur par avec une un est facture montant tva prix quantité total ttc ht client date paiement rue el los las y con por una fecha importe factura cantidad precio iva calle cliente il lo gli che per una con fattura importo totale prezzo quantità via data het een van voor met niet factuur bedrag btw datum aantal prijs straat o os as e um uma com para não fatura valor preço quantidade nif rua contribuinte rechnungsnummer rechnungsdatum lieferdatum lieferung kundennummer zahlbar fällig stück einzelpreis gesamtpreis herr frau sie wir ihre ihr aus nach zum zur auch sich oder ohne vom steuernummer désignation adresse numéro échéance règlement siret merci votre vous nous sont mois jours cedex pago vencimiento domicilio teléfono provincia indirizzo scadenza pagamento codice della sono adres nummer betaling klant uw wij het onze vervaldatum morada vencimento faktura fakturę sprzedawca nabywca ilość cena wartość kwota razem zapłaty termin ulica antal summa betala moms till för fakturanummer kund beløb betales celkem částka faktury dodavatel odběratel".split(
    " ",
  ),
);

/** How much speaks for English and how much for another Latin language: words, letters, and commas in amounts. */
export function weighLanguages(text: string): { english: number; other: number } {
  let english = 0;
  let other = 0;
  for (const word of text.toLowerCase().split(/[^\p{L}]+/u)) {
    if (englishWords.has(word)) english++;
    if (otherWords.has(word)) other++;
    if (otherEndings.test(word)) other++;
    if (word.length > 2 && /[äöüßéèêàçñáíóúãõâîôûœìòąćęłńśźżřščěůåøæőű]/.test(word)) other += 0.5;
  }
  if (countAmounts(text, ",") > 1 && countAmounts(text, ",") > 2 * countAmounts(text, ".")) other += 1.5;
  return { english, other };
}

/** Undecided counts as English. */
export function isMostlyEnglish(text: string): boolean {
  const { english, other } = weighLanguages(text);
  return other <= english || other < 1.5;
}

/** Streets and legal forms that no English document has, also as the broad recogniser spells them. */
const otherEndings =
  /(?:stra[sß]+e|strabe|platz|gasse|nummer|gatan|vägen|vagen|straat|laan)$|^(?:gmbh|sarl|sas|lda|srl)$/;

function countAmounts(text: string, mark: "." | ","): number {
  return (
    text.match(mark === "," ? /(?<![\d.,])\d{1,6},\d{2}(?![\d.,])/g : /(?<![\d.,])\d{1,6}\.\d{2}(?![\d.,])/g)?.length ??
    0
  );
}

/** Picks between two readings of one line. */
export function chooseText(first: DecodedLine, second: DecodedLine | undefined, isEnglish: boolean): DecodedLine {
  if (!second || second.text.length === 0) return first;
  // The broad recogniser falls into Chinese when it is lost.
  const strange = /[\u2e80-\u9fff\uff00-\uffef]/;
  if (strange.test(first.text) !== strange.test(second.text)) return strange.test(first.text) ? second : first;
  const margin = isEnglish ? 0.02 : 0.03;
  return second.confidence > first.confidence + margin ? second : first;
}

/** Undoes the mix-ups of digits and letters inside words, and full-width forms. */
export function repairLetters(line: DecodedLine): DecodedLine {
  const words = line.words
    .map((word) => ({ ...word, text: repairWord(plainForm(word.text)) }))
    .filter((word) => word.text.length > 0);
  return { ...line, words, text: words.map((word) => word.text).join(" ") };
}

function repairWord(word: string): string {
  const letters = word.match(/\p{L}/gu)?.length ?? 0;
  const digits = word.match(/\d/g)?.length ?? 0;
  if (digits === 0 || letters < 2) return word;
  const isUpper = word === word.toUpperCase();
  const zeros = word.match(/0/g)?.length ?? 0;
  // A word of capitals whose only digits are zeros was printed with the letter O.
  if (
    zeros === digits &&
    /^[\p{Lu}0.,&'/()-]+$/u.test(word) &&
    letters >= zeros &&
    /\p{L}0|0\p{L}/u.test(word) &&
    !/^\p{L}{1,2}0+$/u.test(word)
  ) {
    return word.replace(/0/g, "O");
  }
  if (letters < 3 || letters < digits * 3) return word;
  return word
    .replace(/(?<=\p{L})0(?=\p{L})/gu, isUpper ? "O" : "o")
    .replace(/(?<=\p{L})1(?=\p{L})/gu, isUpper ? "I" : "l");
}
