import type { ReadDocument, TextLine } from "../../src/ports/document-reader.ts";

/** The words one language uses on its invoices. */
export interface InvoiceWords {
  title: string;
  number: string;
  date: string;
  due: string;
  order: string;
  billTo: string;
  columns: { description: string; quantity: string; price: string; total: string };
  net: string;
  tax: string;
  gross: string;
  /** Writes amounts and dates as people there do. */
  money(value: number): string;
  day(iso: string): string;
}

export interface MadeUpInvoice {
  number: string;
  date: string;
  due: string;
  order: string;
  seller: string[];
  buyer: string[];
  items: [description: string, quantity: number, price: number][];
  taxRate: number;
  iban?: string;
}

export type Arrangement = "beside" | "inline" | "above";

const point = (value: number): string => value.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",");
const comma =
  (group: string) =>
  (value: number): string =>
    value
      .toFixed(2)
      .replace(".", ",")
      .replace(/\B(?=(\d{3})+,)/g, group);
const dotted = (iso: string): string => iso.split("-").reverse().join(".");
const slashed = (iso: string): string => iso.split("-").reverse().join("/");

export const languages: Record<string, InvoiceWords> = {
  en: {
    title: "INVOICE",
    number: "Invoice Ref",
    date: "Issued",
    due: "Pay by",
    order: "Your PO",
    billTo: "Invoice to",
    columns: { description: "Particulars", quantity: "Units", price: "Each", total: "Sum" },
    net: "Net amount",
    tax: "VAT 20%",
    gross: "Total due",
    money: (value) => `£${point(value)}`,
    day: slashed,
  },
  us: {
    title: "Invoice",
    number: "Invoice #",
    date: "Invoice date",
    due: "Due date",
    order: "P.O. #",
    billTo: "Billed to",
    columns: { description: "Service", quantity: "Hours", price: "Rate", total: "Charge" },
    net: "Subtotal",
    tax: "Sales tax (8.25%)",
    gross: "Balance due",
    money: (value) => `$${point(value)}`,
    day: (iso) => `${iso.slice(5, 7)}/${iso.slice(8)}/${iso.slice(0, 4)}`,
  },
  de: {
    title: "RECHNUNG",
    number: "Rechnungs-Nr.",
    date: "Rechnungsdatum",
    due: "Zahlbar bis",
    order: "Ihre Bestellnummer",
    billTo: "Rechnungsempfänger",
    columns: { description: "Bezeichnung", quantity: "Menge", price: "Einzelpreis", total: "Gesamtpreis" },
    net: "Zwischensumme",
    tax: "zzgl. 19 % MwSt.",
    gross: "Rechnungsbetrag",
    money: (value) => `${comma(".")(value)} €`,
    day: dotted,
  },
  fr: {
    title: "FACTURE",
    number: "Facture n°",
    date: "Date de facturation",
    due: "Date d'échéance",
    order: "Bon de commande",
    billTo: "Facturé à",
    columns: { description: "Désignation", quantity: "Qté", price: "P.U. HT", total: "Montant HT" },
    net: "Total HT",
    tax: "TVA 20 %",
    gross: "Total TTC",
    money: (value) => `${comma(" ")(value)} €`,
    day: slashed,
  },
  es: {
    title: "FACTURA",
    number: "Nº de factura",
    date: "Fecha de emisión",
    due: "Fecha de vencimiento",
    order: "Nº de pedido",
    billTo: "Cliente",
    columns: { description: "Concepto", quantity: "Cantidad", price: "Precio unitario", total: "Importe" },
    net: "Base imponible",
    tax: "IVA 21%",
    gross: "Total a pagar",
    money: (value) => `${comma(".")(value)} €`,
    day: slashed,
  },
  it: {
    title: "FATTURA",
    number: "Fattura n.",
    date: "Data fattura",
    due: "Scadenza",
    order: "Ordine n.",
    billTo: "Spett.le",
    columns: { description: "Descrizione", quantity: "Q.tà", price: "Prezzo unitario", total: "Importo" },
    net: "Totale imponibile",
    tax: "IVA 22%",
    gross: "Totale fattura",
    money: (value) => `€ ${comma(".")(value)}`,
    day: slashed,
  },
  pl: {
    title: "FAKTURA",
    number: "Numer faktury",
    date: "Data wystawienia",
    due: "Termin płatności",
    order: "Nr zamówienia",
    billTo: "Nabywca",
    columns: { description: "Nazwa towaru lub usługi", quantity: "Ilość", price: "Cena netto", total: "Wartość netto" },
    net: "Razem netto",
    tax: "VAT 23%",
    gross: "Do zapłaty",
    money: (value) => `${comma(" ")(value)} zł`,
    day: dotted,
  },
  sv: {
    title: "FAKTURA",
    number: "Fakturanummer",
    date: "Fakturadatum",
    due: "Förfallodatum",
    order: "Er referens",
    billTo: "Kund",
    columns: { description: "Beskrivning", quantity: "Antal", price: "À-pris", total: "Belopp" },
    net: "Summa exkl. moms",
    tax: "Moms 25 %",
    gross: "Att betala",
    money: (value) => `${comma(" ")(value)} kr`,
    day: (iso) => iso,
  },
  cs: {
    title: "FAKTURA",
    number: "Číslo faktury",
    date: "Datum vystavení",
    due: "Datum splatnosti",
    order: "Číslo objednávky",
    billTo: "Odběratel",
    columns: { description: "Popis", quantity: "Množství", price: "Jednotková cena", total: "Celkem" },
    net: "Celkem bez DPH",
    tax: "DPH 21 %",
    gross: "Celkem k úhradě",
    money: (value) => `${comma(" ")(value)} Kč`,
    day: dotted,
  },
  nl: {
    title: "FACTUUR",
    number: "Factuurnummer",
    date: "Factuurdatum",
    due: "Vervaldatum",
    order: "Uw referentie",
    billTo: "Factuur aan",
    columns: { description: "Omschrijving", quantity: "Aantal", price: "Prijs", total: "Bedrag" },
    net: "Subtotaal",
    tax: "BTW 21%",
    gross: "Totaal te betalen",
    money: (value) => `€ ${comma(".")(value)}`,
    day: (iso) => iso.split("-").reverse().join("-"),
  },
  pt: {
    title: "FATURA",
    number: "Fatura n.º",
    date: "Data de emissão",
    due: "Data de vencimento",
    order: "Encomenda n.º",
    billTo: "Exmo.(s) Sr.(s)",
    columns: { description: "Descrição", quantity: "Qtd.", price: "Preço unit.", total: "Valor" },
    net: "Total ilíquido",
    tax: "IVA 23%",
    gross: "Total a pagar",
    money: (value) => `${comma(" ")(value)} €`,
    day: (iso) => iso.split("-").reverse().join("-"),
  },
  id: {
    title: "Faktur",
    number: "No. Faktur",
    date: "Tanggal",
    due: "Jatuh tempo",
    order: "No. PO",
    billTo: "Kepada Yth.",
    columns: { description: "Nama Barang", quantity: "Kts", price: "Harga Satuan", total: "Jumlah" },
    net: "Subtotal",
    tax: "PPN 11%",
    gross: "Total Tagihan",
    money: (value) => `Rp ${comma(".")(value)}`,
    day: slashed,
  },
  vi: {
    title: "Hóa đơn",
    number: "Số hóa đơn",
    date: "Ngày lập",
    due: "Hạn thanh toán",
    order: "Số đơn đặt hàng",
    billTo: "Người mua hàng",
    columns: { description: "Tên hàng hóa, dịch vụ", quantity: "Số lượng", price: "Đơn giá", total: "Thành tiền" },
    net: "Cộng tiền hàng",
    tax: "Tiền thuế GTGT",
    gross: "Tổng cộng tiền thanh toán",
    money: comma("."),
    day: slashed,
  },
  ru: {
    title: "Счет",
    number: "Счет №",
    date: "Дата счета",
    due: "Оплатить до",
    order: "Номер заказа",
    billTo: "Покупатель",
    columns: { description: "Наименование", quantity: "Кол-во", price: "Цена", total: "Сумма" },
    net: "Итого без НДС",
    tax: "НДС 20%",
    gross: "Всего к оплате",
    money: comma(" "),
    day: dotted,
  },
  uk: {
    title: "Рахунок",
    number: "Рахунок №",
    date: "Дата рахунку",
    due: "Сплатити до",
    order: "Номер замовлення",
    billTo: "Покупець",
    columns: { description: "Найменування", quantity: "К-сть", price: "Ціна", total: "Сума" },
    net: "Разом без ПДВ",
    tax: "ПДВ 20%",
    gross: "Всього до сплати",
    money: comma(" "),
    day: dotted,
  },
  bg: {
    title: "Фактура",
    number: "Фактура №",
    date: "Дата на издаване",
    due: "Падеж",
    order: "Номер на поръчка",
    billTo: "Получател",
    columns: { description: "Наименование", quantity: "Количество", price: "Ед. цена", total: "Стойност" },
    net: "Данъчна основа",
    tax: "ДДС 20%",
    gross: "Сума за плащане",
    money: comma(" "),
    day: dotted,
  },
};

export const sampleInvoice: MadeUpInvoice = {
  number: "INV-20418",
  date: "2024-03-05",
  due: "2024-04-04",
  order: "PO-7731",
  seller: ["Aurora Tools Ltd", "12 Mill Lane", "3011 Rivertown"],
  buyer: ["Bramble & Finch GmbH", "Hafenweg 4", "48155 Münster"],
  items: [
    ["Cordless drill 18V", 3, 129.5],
    ["Safety goggles", 12, 7.25],
    ["On-site training", 1, 1450],
  ],
  taxRate: 0.2,
};

/** Puts an invoice on a page with labels beside, inline with, or above their values. */
export function drawInvoice(invoice: MadeUpInvoice, words: InvoiceWords, arrangement: Arrangement): ReadDocument {
  const lines: TextLine[] = [];
  const put = (text: string, left: number, top: number, isRight = false): void => {
    const width = text.length * 0.0085;
    const from = isRight ? left - width : left;
    const box = [from, top, from + width, top + 0.011] as const;
    const words = [...text.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      box: [from + match.index * 0.0085, top, from + (match.index + match[0].length) * 0.0085, top + 0.011] as const,
    }));
    lines.push({ text, box, words, confidence: 1, source: "text" });
  };
  for (const [index, line] of invoice.seller.entries()) put(line, 0.08, 0.05 + index * 0.015);
  put(words.title, 0.7, 0.05);
  const meta: [string, string][] = [
    [words.number, invoice.number],
    [words.date, words.day(invoice.date)],
    [words.due, words.day(invoice.due)],
    [words.order, invoice.order],
  ];
  meta.forEach(([label, value], index) => {
    if (arrangement === "beside") {
      put(label, 0.55, 0.12 + index * 0.018);
      put(value, 0.92, 0.12 + index * 0.018, true);
    } else if (arrangement === "inline") put(`${label}: ${value}`, 0.55, 0.12 + index * 0.018);
    else {
      put(label, 0.06 + index * 0.23, 0.25);
      put(value, 0.06 + index * 0.23, 0.268);
    }
  });
  put(words.billTo, 0.08, 0.14);
  for (const [index, line] of invoice.buyer.entries()) put(line, 0.08, 0.158 + index * 0.015);
  let top = 0.34;
  put(words.columns.description, 0.08, top);
  put(words.columns.quantity, 0.6, top, true);
  put(words.columns.price, 0.78, top, true);
  put(words.columns.total, 0.93, top, true);
  let net = 0;
  for (const [description, quantity, price] of invoice.items) {
    top += 0.024;
    net += quantity * price;
    put(description, 0.08, top);
    put(String(quantity), 0.6, top, true);
    put(words.money(price), 0.78, top, true);
    put(words.money(quantity * price), 0.93, top, true);
  }
  const tax = Math.round(net * invoice.taxRate * 100) / 100;
  for (const [label, amount] of [
    [words.net, net],
    [words.tax, tax],
    [words.gross, net + tax],
  ] as const) {
    top += 0.03;
    put(label, 0.55, top);
    put(words.money(amount), 0.93, top, true);
  }
  if (invoice.iban) put(`IBAN ${invoice.iban}`, 0.08, 0.92);
  return {
    format: "pdf",
    pages: [{ number: 1, width: 595, height: 842, lines, rulings: [] }],
    tables: [],
    formEntries: [],
    embeddedFiles: [],
    warnings: [],
  };
}

export function totalsOf(invoice: MadeUpInvoice): { net: number; tax: number; gross: number } {
  const net = invoice.items.reduce((sum, [, quantity, price]) => sum + quantity * price, 0);
  const tax = Math.round(net * invoice.taxRate * 100) / 100;
  return { net, tax, gross: Math.round((net + tax) * 100) / 100 };
}
