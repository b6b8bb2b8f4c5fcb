import type { EmbeddedFile } from "../../ports/document-reader.ts";
import { all, at, numberAt, parseXml, textAt, type XmlNode } from "../reading/xml-tree.ts";
import type { TaxPart } from "./invoice/totals.ts";
import type { LineItem } from "./line-items.ts";

export interface PartyData {
  name: string | null;
  address: string | null;
  vat_id: string | null;
}

/** An invoice as its own XML states it. */
export interface EInvoice {
  /** Type code 381, a UBL CreditNote or a TD04 is a credit note. */
  type: "invoice" | "credit_note";
  invoice_number: string | null;
  issue_date: string | null;
  due_date: string | null;
  purchase_order: string | null;
  currency: string | null;
  seller: PartyData;
  buyer: PartyData;
  net_total: number | null;
  tax_total: number | null;
  grand_total: number | null;
  iban: string | null;
  lines: LineItem[];
  taxes: TaxPart[];
}

/** Finds the invoice among embedded files: Factur-X, ZUGFeRD 1 and 2, XRechnung (CII and UBL), FatturaPA. */
export function readEInvoice(files: readonly EmbeddedFile[]): EInvoice | undefined {
  for (const file of files) {
    const root = parseXml(file.text);
    if (!root) continue;
    if (root.name === "CrossIndustryInvoice") return readCii(root, ciiNames);
    if (root.name === "CrossIndustryDocument") return readCii(root, zugferd1Names);
    if (root.name === "Invoice" || root.name === "CreditNote") return readUbl(root);
    if (root.name === "FatturaElettronica") return readFattura(root);
  }
  return undefined;
}

/** What the same parts of an invoice are called in two versions of the cross-industry invoice. */
const ciiNames = {
  document: "ExchangedDocument",
  trade: "SupplyChainTradeTransaction",
  agreement: "ApplicableHeaderTradeAgreement",
  settlement: "ApplicableHeaderTradeSettlement",
  summation: "SpecifiedTradeSettlementHeaderMonetarySummation",
  lineAgreement: "SpecifiedLineTradeAgreement",
  lineDelivery: "SpecifiedLineTradeDelivery",
  lineSettlement: "SpecifiedLineTradeSettlement",
  lineSummation: "SpecifiedTradeSettlementLineMonetarySummation",
  rate: "RateApplicablePercent",
};
const zugferd1Names: typeof ciiNames = {
  document: "HeaderExchangedDocument",
  trade: "SpecifiedSupplyChainTradeTransaction",
  agreement: "ApplicableSupplyChainTradeAgreement",
  settlement: "ApplicableSupplyChainTradeSettlement",
  summation: "SpecifiedTradeSettlementMonetarySummation",
  lineAgreement: "SpecifiedSupplyChainTradeAgreement",
  lineDelivery: "SpecifiedSupplyChainTradeDelivery",
  lineSettlement: "SpecifiedSupplyChainTradeSettlement",
  lineSummation: "SpecifiedTradeSettlementMonetarySummation",
  rate: "ApplicablePercent",
};

function readCii(root: XmlNode, names: typeof ciiNames): EInvoice {
  const document = at(root, names.document);
  const trade = at(root, names.trade);
  const agreement = at(trade, names.agreement);
  const settlement = at(trade, names.settlement);
  const sums = at(settlement, names.summation);
  const currency = textAt(settlement, "InvoiceCurrencyCode");
  const terms = all(settlement, "SpecifiedTradePaymentTerms");
  const taxes = all(sums, "TaxTotalAmount");
  const tax = taxes.find((node) => node.attributes.currencyID === currency) ?? taxes[0];
  return {
    type: isCreditCode(textAt(document, "TypeCode")) ? "credit_note" : "invoice",
    invoice_number: textAt(document, "ID"),
    issue_date: dateOf(textAt(document, "IssueDateTime", "DateTimeString")),
    due_date:
      terms.map((term) => dateOf(textAt(term, "DueDateDateTime", "DateTimeString"))).find((date) => date !== null) ??
      null,
    purchase_order:
      textAt(agreement, "BuyerOrderReferencedDocument", "IssuerAssignedID") ??
      textAt(agreement, "BuyerOrderReferencedDocument", "ID"),
    currency,
    seller: ciiParty(at(agreement, "SellerTradeParty")),
    buyer: ciiParty(at(agreement, "BuyerTradeParty")),
    net_total: numberAt(sums, "TaxBasisTotalAmount"),
    tax_total: tax ? Number(tax.text) : null,
    grand_total: numberAt(sums, "GrandTotalAmount"),
    iban:
      all(settlement, "SpecifiedTradeSettlementPaymentMeans")
        .map((means) => textAt(means, "PayeePartyCreditorFinancialAccount", "IBANID"))
        .find((iban) => iban !== null) ?? null,
    lines: all(trade, "IncludedSupplyChainTradeLineItem")
      .map((line) => ({
        description: textAt(line, "SpecifiedTradeProduct", "Name"),
        quantity: numberAt(line, names.lineDelivery, "BilledQuantity"),
        unit_price: numberAt(line, names.lineAgreement, "NetPriceProductTradePrice", "ChargeAmount"),
        total: numberAt(line, names.lineSettlement, names.lineSummation, "LineTotalAmount"),
      }))
      .filter((line) => line.total !== null || line.quantity !== null),
    taxes: taxParts(all(settlement, "ApplicableTradeTax"), (part) => ({
      rate: numberAt(part, names.rate),
      base: numberAt(part, "BasisAmount"),
      tax: numberAt(part, "CalculatedAmount"),
    })),
  };
}

function ciiParty(party: XmlNode | undefined): PartyData {
  const address = at(party, "PostalTradeAddress");
  const ids = all(party, "SpecifiedTaxRegistration").map((registration) => at(registration, "ID"));
  const vat =
    ids.find((id) => id?.attributes.schemeID === "VA") ?? ids.find((id) => /^[A-Z]{2}/.test(id?.text.trim() ?? ""));
  const town = [textAt(address, "PostcodeCode"), textAt(address, "CityName")].filter(Boolean).join(" ");
  const lines = [
    textAt(address, "LineOne"),
    textAt(address, "LineTwo"),
    textAt(address, "LineThree"),
    town,
    textAt(address, "CountryID"),
  ];
  return { name: textAt(party, "Name"), address: joinAddress(lines), vat_id: vat?.text.trim() || null };
}

function readUbl(root: XmlNode): EInvoice {
  const sums = at(root, "LegalMonetaryTotal");
  const currency = textAt(root, "DocumentCurrencyCode");
  const taxes = all(root, "TaxTotal").map((tax) => at(tax, "TaxAmount"));
  const tax = taxes.find((node) => node?.attributes.currencyID === currency) ?? taxes[0];
  const isCredit = root.name === "CreditNote";
  return {
    type: isCredit || isCreditCode(textAt(root, "InvoiceTypeCode")) ? "credit_note" : "invoice",
    invoice_number: textAt(root, "ID"),
    issue_date: textAt(root, "IssueDate"),
    due_date: textAt(root, "DueDate") ?? textAt(root, "PaymentMeans", "PaymentDueDate"),
    purchase_order: textAt(root, "OrderReference", "ID"),
    currency,
    seller: ublParty(at(root, "AccountingSupplierParty", "Party")),
    buyer: ublParty(at(root, "AccountingCustomerParty", "Party")),
    net_total: numberAt(sums, "TaxExclusiveAmount"),
    tax_total: tax ? Number(tax.text) : null,
    grand_total: numberAt(sums, "TaxInclusiveAmount") ?? numberAt(sums, "PayableAmount"),
    iban: textAt(root, "PaymentMeans", "PayeeFinancialAccount", "ID"),
    lines: all(root, isCredit ? "CreditNoteLine" : "InvoiceLine").map((line) => ({
      description: textAt(line, "Item", "Name") ?? textAt(line, "Item", "Description"),
      quantity: numberAt(line, isCredit ? "CreditedQuantity" : "InvoicedQuantity"),
      unit_price: numberAt(line, "Price", "PriceAmount"),
      total: numberAt(line, "LineExtensionAmount"),
    })),
    taxes: taxParts(all(root, "TaxTotal", "TaxSubtotal"), (part) => ({
      rate: numberAt(part, "TaxCategory", "Percent"),
      base: numberAt(part, "TaxableAmount"),
      tax: numberAt(part, "TaxAmount"),
    })),
  };
}

function ublParty(party: XmlNode | undefined): PartyData {
  const address = at(party, "PostalAddress");
  const town = [textAt(address, "PostalZone"), textAt(address, "CityName")].filter(Boolean).join(" ");
  return {
    name: textAt(party, "PartyLegalEntity", "RegistrationName") ?? textAt(party, "PartyName", "Name"),
    address: joinAddress([
      textAt(address, "StreetName"),
      textAt(address, "AdditionalStreetName"),
      town,
      textAt(address, "Country", "IdentificationCode"),
    ]),
    vat_id:
      all(party, "PartyTaxScheme")
        .map((scheme) => textAt(scheme, "CompanyID"))
        .find((id) => id !== null && /^[A-Z]{2}/.test(id)) ?? null,
  };
}

function readFattura(root: XmlNode): EInvoice {
  const head = at(root, "FatturaElettronicaHeader");
  const body = at(root, "FatturaElettronicaBody");
  const general = at(body, "DatiGenerali", "DatiGeneraliDocumento");
  const taxes = taxParts(all(body, "DatiBeniServizi", "DatiRiepilogo"), (part) => ({
    rate: numberAt(part, "AliquotaIVA"),
    base: numberAt(part, "ImponibileImporto"),
    tax: numberAt(part, "Imposta"),
  }));
  // The format states sums per rate only: those of several rates are nowhere written, so nobody adds them up here.
  const [only] = taxes.length === 1 ? taxes : [];
  const payment = at(body, "DatiPagamento", "DettaglioPagamento");
  return {
    type: textAt(general, "TipoDocumento") === "TD04" ? "credit_note" : "invoice",
    invoice_number: textAt(general, "Numero"),
    issue_date: textAt(general, "Data"),
    due_date: textAt(payment, "DataScadenzaPagamento"),
    purchase_order: textAt(body, "DatiGenerali", "DatiOrdineAcquisto", "IdDocumento"),
    currency: textAt(general, "Divisa"),
    seller: fatturaParty(at(head, "CedentePrestatore")),
    buyer: fatturaParty(at(head, "CessionarioCommittente")),
    net_total: only?.base ?? null,
    tax_total: only?.tax ?? null,
    grand_total: numberAt(general, "ImportoTotaleDocumento"),
    iban: textAt(payment, "IBAN"),
    lines: all(body, "DatiBeniServizi", "DettaglioLinee").map((line) => ({
      description: textAt(line, "Descrizione"),
      quantity: numberAt(line, "Quantita"),
      unit_price: numberAt(line, "PrezzoUnitario"),
      total: numberAt(line, "PrezzoTotale"),
    })),
    taxes,
  };
}

/** Those that state a tax. */
function taxParts(
  nodes: readonly XmlNode[],
  read: (node: XmlNode) => { [Name in keyof TaxPart]: TaxPart[Name] | null },
): TaxPart[] {
  return nodes.map(read).flatMap(({ rate, base, tax }) => (tax === null ? [] : [{ rate, base, tax }]));
}

function fatturaParty(party: XmlNode | undefined): PartyData {
  const person = at(party, "DatiAnagrafici", "Anagrafica");
  const vat = at(party, "DatiAnagrafici", "IdFiscaleIVA");
  const seat = at(party, "Sede");
  const town = [textAt(seat, "CAP"), textAt(seat, "Comune")].filter(Boolean).join(" ");
  return {
    name:
      textAt(person, "Denominazione") ??
      ([textAt(person, "Nome"), textAt(person, "Cognome")].filter(Boolean).join(" ") || null),
    address: joinAddress([
      [textAt(seat, "Indirizzo"), textAt(seat, "NumeroCivico")].filter(Boolean).join(" "),
      town,
      textAt(seat, "Nazione"),
    ]),
    vat_id: vat ? `${textAt(vat, "IdPaese") ?? ""}${textAt(vat, "IdCodice") ?? ""}` || null : null,
  };
}

/** UNTDID 1001: credit notes, also self-billed and of factored invoices. */
function isCreditCode(code: string | null): boolean {
  return code !== null && ["81", "83", "261", "381", "396", "532"].includes(code.trim());
}

function joinAddress(lines: readonly (string | null)[]): string | null {
  const present = lines.filter((line) => line);
  return present.length > 0 ? present.join(", ") : null;
}

function dateOf(text: string | null): string | null {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text ?? "");
  return match ? `${match[1]}-${match[2]}-${match[3]}` : null;
}
