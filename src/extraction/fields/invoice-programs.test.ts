import { expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

/** Invoices as accounting programs of several countries print them. */
type Line = [left: number, top: number, text: string];
const read = (...lines: Line[]) => extractFields(textPage(lines));

it("a postcode beside the word for a number is no number", () => {
  const { data } = read(
    [0.1, 0.05, "TAX INVOICE"],
    [0.5, 0.05, "Invoice Date"],
    [0.75, 0.05, "Coldline Refrigeration Ltd"],
    [0.5, 0.07, "14 Jan 2026"],
    [0.75, 0.07, "Unit 4, Brook Park"],
    [0.75, 0.09, "BATH"],
    [0.5, 0.11, "Invoice Number"],
    [0.75, 0.11, "BA2 3QE"],
    [0.5, 0.13, "INV-0933"],
    [0.1, 0.3, "TOTAL GBP"],
    [0.8, 0.3, "196.80"],
  );
  expect(data.invoice_number).toBe("INV-0933");
});

it('"Viale Po 18" is a street and no order', () => {
  const { data } = read(
    [0.1, 0.05, "Fattura n. 118/A del 27/02/2026"],
    [0.1, 0.1, "Indirizzo: Viale Po 18"],
    [0.1, 0.3, "Totale documento"],
    [0.8, 0.3, "534,36 €"],
  );
  expect(data.purchase_order).toBeNull();
});

it('rates stand without their sign under "VAT %", also where the sign has a line of its own', () => {
  const { data } = read(
    [0.1, 0.05, "Faktura nr 12/03/2026"],
    [0.1, 0.2, "Nazwa"],
    [0.4, 0.2, "Wartość netto"],
    [0.6, 0.2, "VAT"],
    [0.7, 0.2, "Wartość VAT"],
    [0.85, 0.2, "Wartość brutto"],
    [0.6, 0.22, "%"],
    [0.1, 0.25, "Stół dębowy"],
    [0.4, 0.25, "3 700,00"],
    [0.6, 0.25, "23"],
    [0.7, 0.25, "851,00"],
    [0.85, 0.25, "4 551,00"],
    [0.1, 0.28, "Transport"],
    [0.4, 0.28, "240,00"],
    [0.6, 0.28, "23"],
    [0.7, 0.28, "55,20"],
    [0.85, 0.28, "295,20"],
    [0.1, 0.31, "Razem"],
    [0.4, 0.31, "3 940,00"],
    [0.7, 0.31, "906,20"],
    [0.85, 0.31, "4 846,20"],
    [0.1, 0.36, "Do zapłaty: 4 846,20 PLN"],
  );
  expect(data).toMatchObject({ net_total: 3940, tax_total: 906.2, grand_total: 4846.2 });
});

it("half of a tax that is charged in two halves is not the tax", () => {
  const { data } = read(
    [0.1, 0.05, "Tax Invoice"],
    [0.1, 0.07, "GSTIN/UIN: 27AAPFU0939F1ZV"],
    [0.1, 0.3, "Total"],
    [0.8, 0.3, "18,300.00"],
    [0.1, 0.33, "CGST"],
    [0.8, 0.33, "1,647.00"],
    [0.1, 0.36, "SGST"],
    [0.8, 0.36, "1,647.00"],
    [0.1, 0.39, "Grand Total"],
    [0.8, 0.39, "₹ 21,594.00"],
  );
  expect(data.tax_total).toBeNull();
  expect(data.grand_total).toBe(21594);
});

it("\"Company's Bank Details\" is nobody's name", () => {
  const { data } = read(
    [0.1, 0.05, "Shree Ganesh Traders"],
    [0.1, 0.07, "14, MG Road, Shivajinagar"],
    [0.1, 0.09, "Pune - 411005"],
    [0.6, 0.05, "Invoice No."],
    [0.6, 0.07, "SGT/25-26/0412"],
    [0.1, 0.3, "Total"],
    [0.8, 0.3, "₹ 21,594.00"],
    [0.1, 0.8, "Company's Bank Details"],
    [0.1, 0.82, "Bank Name : HDFC Bank"],
    [0.1, 0.84, "A/c No. : 50200012345678"],
    [0.1, 0.86, "Branch & IFS Code : Pune & HDFC0000007"],
  );
  expect((data.seller as { name: string }).name).toBe("Shree Ganesh Traders");
});

it("blocks of labels say who, where and with which tax number, above and below the name", () => {
  const block = (left: number, heading: string, id: string, name: string, place: [string, string, string]): Line[] => [
    [left, 0.05, heading],
    [left, 0.07, `Identificativo fiscale ai fini IVA: ${id}`],
    [left, 0.09, `Denominazione: ${name}`],
    [left, 0.11, `Indirizzo: ${place[0]}`],
    [left, 0.13, `Comune: ${place[1]} Provincia: MO`],
    [left, 0.15, `Cap: ${place[2]} Nazione: IT`],
  ];
  const { data } = read(
    ...block(0.05, "Cedente/prestatore (fornitore)", "IT01234567897", "Officina Rossi S.n.c.", [
      "Via Emilia 210",
      "Modena",
      "41121",
    ]),
    ...block(0.55, "Cessionario/committente (cliente)", "IT12345670785", "Trasporti Verdi S.r.l.", [
      "Viale Po 18",
      "Carpi",
      "41012",
    ]),
    [0.05, 0.25, "Fattura"],
    [0.3, 0.25, "Numero documento 118/A"],
    [0.05, 0.6, "Totale documento"],
    [0.8, 0.6, "534,36"],
  );
  expect(data).toMatchObject({
    seller: { name: "Officina Rossi S.n.c.", address: "Via Emilia 210, Modena MO, 41121 IT", vat_id: "IT01234567897" },
    buyer: { name: "Trasporti Verdi S.r.l.", address: "Viale Po 18, Carpi MO, 41012 IT", vat_id: "IT12345670785" },
  });
});

it("numbers of columns under their headings and headings of a table of rates are no goods", () => {
  const { data } = read(
    [0.1, 0.05, "FACTURA Seria ATL nr. 0187"],
    [0.1, 0.2, "Denumirea produselor"],
    [0.5, 0.2, "Cantitatea"],
    [0.65, 0.2, "Pretul unitar"],
    [0.85, 0.2, "Valoarea"],
    [0.1, 0.22, "1"],
    [0.5, 0.22, "2"],
    [0.65, 0.22, "3"],
    [0.85, 0.22, "4 (2x3)"],
    [0.1, 0.25, "Scaune bar"],
    [0.5, 0.25, "6"],
    [0.65, 0.25, "310,00"],
    [0.85, 0.25, "1860,00"],
    [0.1, 0.32, "Cota"],
    [0.5, 0.32, "Total fara TVA"],
    [0.85, 0.32, "Total TVA"],
    [0.1, 0.35, "Standard (S)"],
    [0.3, 0.35, "21,00"],
    [0.5, 0.35, "1860,00"],
    [0.85, 0.35, "390,60"],
  );
  expect(data.lines).toEqual([{ description: "Scaune bar", quantity: 6, unit_price: 310, total: 1860 }]);
});

it("who lives in a house with a number is a name over a street, and square metres are counted", () => {
  const { data } = read(
    [0.6, 0.04, "Gartenbau Wiesner"],
    [0.1, 0.1, "Gartenbau Wiesner · Am Hang 7 · 79100 Freiburg"],
    [0.1, 0.12, "WEG Sonnenhalde 12"],
    [0.1, 0.14, "c/o Hausverwaltung Kern GmbH"],
    [0.1, 0.16, "Kaiserstr. 40"],
    [0.1, 0.18, "79098 Freiburg"],
    [0.1, 0.25, "Rechnung Nr. RE-1093"],
    [0.1, 0.3, "Beschreibung"],
    [0.5, 0.3, "Menge"],
    [0.65, 0.3, "Einzelpreis"],
    [0.8, 0.3, "Gesamtpreis"],
    [0.1, 0.33, "Rollrasen"],
    [0.5, 0.33, "35,00 m²"],
    [0.65, 0.33, "7,90 EUR"],
    [0.8, 0.33, "276,50 EUR"],
    [0.5, 0.36, "Gesamtbetrag brutto"],
    [0.8, 0.36, "276,50 EUR"],
    [0.1, 0.4, "Wir bitten um Zahlung. Der Rechnungsbetrag ist bis"],
    [0.1, 0.42, "zum 20.06.2026 fällig."],
    [0.1, 0.45, "Mit freundlichen Grüßen"],
    [0.1, 0.47, "Karl Wiesner"],
  );
  expect(data.buyer).toMatchObject({ name: "WEG Sonnenhalde 12" });
  expect(data.due_date).toBe("2026-06-20");
  expect(data.lines).toEqual([{ description: "Rollrasen", quantity: 35, unit_price: 7.9, total: 276.5 }]);
});

it("a label that fills two lines means what it says as a whole", () => {
  const { data } = read(
    [0.1, 0.05, "Račun št.: 26-0118"],
    [0.5, 0.1, "Kraj in datum izdaje:"],
    [0.75, 0.1, "Brezovica, 2.2.2026"],
    [0.5, 0.13, "Datum opravljene"],
    [0.75, 0.13, "30.1.2026"],
    [0.5, 0.145, "storitve:"],
    [0.5, 0.17, "Rok plačila:"],
    [0.75, 0.17, "17.2.2026"],
    [0.1, 0.3, "Za plačilo EUR:"],
    [0.8, 0.3, "506,30"],
  );
  expect(data).toMatchObject({ issue_date: "2026-02-02", due_date: "2026-02-17" });
});

it('"28,00 m2" is counted, as pictures have it', () => {
  const { data } = read(
    [0.1, 0.05, "Rechnung RE0219"],
    [0.1, 0.3, "Innenwände streichen"],
    [0.5, 0.3, "28,00 m2"],
    [0.65, 0.3, "27,50"],
    [0.8, 0.3, "770,00"],
    [0.5, 0.36, "Gesamtbetrag"],
    [0.8, 0.36, "770,00 €"],
  );
  expect(data.lines).toEqual([{ description: "Innenwände streichen", quantity: 28, unit_price: 27.5, total: 770 }]);
});
