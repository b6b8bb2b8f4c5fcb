import { describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

describe("an e-invoice", () => {
  const xml = `<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="r" xmlns:ram="a" xmlns:udt="u">
    <rsm:ExchangedDocument><ram:ID>R-1</ram:ID><ram:IssueDateTime><udt:DateTimeString>20240305</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
    <rsm:SupplyChainTradeTransaction>
      <ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedTradeProduct><ram:Name>Drill</ram:Name></ram:SpecifiedTradeProduct>
        <ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>50.00</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
        <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity>2</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
        <ram:SpecifiedLineTradeSettlement><ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>100.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>
      </ram:IncludedSupplyChainTradeLineItem>
      <ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>Kraxi GmbH</ram:Name></ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name>Papier KG</ram:Name></ram:BuyerTradeParty></ram:ApplicableHeaderTradeAgreement>
      <ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
        <ram:ApplicableTradeTax><ram:CalculatedAmount>19.00</ram:CalculatedAmount><ram:BasisAmount>100.00</ram:BasisAmount><ram:RateApplicablePercent>19.00</ram:RateApplicablePercent></ram:ApplicableTradeTax>
        <ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:TaxBasisTotalAmount>100.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">19.00</ram:TaxTotalAmount><ram:GrandTotalAmount>119.00</ram:GrandTotalAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>
      </ram:ApplicableHeaderTradeSettlement>
    </rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`;

  it("is taken from its embedded data, and the page is checked against it", () => {
    const { data, checks } = extractFields(
      textPage([[0.1, 0.1, "Rechnung Nr. R-2"]], { embeddedFiles: [{ name: "factur-x.xml", text: xml }] }),
    );
    expect(data).toMatchObject({
      invoice_number: "R-1",
      issue_date: "2024-03-05",
      currency: "EUR",
      net_total: 100,
      tax_total: 19,
      grand_total: 119,
      seller: { name: "Kraxi GmbH" },
      buyer: { name: "Papier KG" },
      lines: [{ description: "Drill", quantity: 2, unit_price: 50, total: 100 }],
      tax_breakdown: [{ rate: 19, base: 100, tax: 19 }],
    });
    expect(checks).toContainEqual(expect.objectContaining({ name: "page_agrees_on_invoice_number", passed: false }));
  });

  it("that declares a document type is not believed", () => {
    const hostile = xml.replace('<?xml version="1.0"?>', '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>');
    const { data } = extractFields(
      textPage([[0.1, 0.1, "Rechnung Nr. R-2"]], { embeddedFiles: [{ name: "factur-x.xml", text: hostile }] }),
      "invoice",
    );
    expect(data.invoice_number).toBe("R-2");
  });
});

describe("an invoice that is XML alone", () => {
  it("in UBL is read", () => {
    const text = `<Invoice xmlns="urn:x" xmlns:cbc="c" xmlns:cac="a"><cbc:ID>U-9</cbc:ID><cbc:IssueDate>2024-02-01</cbc:IssueDate><cbc:DueDate>2024-03-02</cbc:DueDate><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
      <cac:OrderReference><cbc:ID>PO-1</cbc:ID></cac:OrderReference>
      <cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>Trade name</cbc:Name></cac:PartyName><cac:PostalAddress><cbc:StreetName>Kade 1</cbc:StreetName><cbc:CityName>Gent</cbc:CityName><cbc:PostalZone>9000</cbc:PostalZone></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>BE0403019261</cbc:CompanyID></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>Seller NV</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>
      <cac:AccountingCustomerParty><cac:Party><cac:PartyLegalEntity><cbc:RegistrationName>Buyer BV</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingCustomerParty>
      <cac:PaymentMeans><cac:PayeeFinancialAccount><cbc:ID>BE68539007547034</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>
      <cac:TaxTotal><cbc:TaxAmount currencyID="EUR">2.10</cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxableAmount>10.00</cbc:TaxableAmount><cbc:TaxAmount>2.10</cbc:TaxAmount><cac:TaxCategory><cbc:Percent>21</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
      <cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount>10.00</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount>12.10</cbc:TaxInclusiveAmount></cac:LegalMonetaryTotal>
      <cac:InvoiceLine><cbc:InvoicedQuantity>2</cbc:InvoicedQuantity><cbc:LineExtensionAmount>10.00</cbc:LineExtensionAmount><cac:Item><cbc:Name>Pen</cbc:Name></cac:Item><cac:Price><cbc:PriceAmount>5.00</cbc:PriceAmount></cac:Price></cac:InvoiceLine></Invoice>`;
    const { data } = extractFields(textPage([], { format: "xml", embeddedFiles: [{ name: "invoice.xml", text }] }));
    expect(data).toMatchObject({
      document_type: "invoice",
      invoice_number: "U-9",
      due_date: "2024-03-02",
      purchase_order: "PO-1",
      iban: "BE68539007547034",
      seller: { name: "Seller NV", address: "Kade 1, 9000 Gent", vat_id: "BE0403019261" },
      buyer: { name: "Buyer BV" },
      net_total: 10,
      tax_total: 2.1,
      grand_total: 12.1,
      lines: [{ description: "Pen", quantity: 2, unit_price: 5, total: 10 }],
      tax_breakdown: [{ rate: 21, base: 10, tax: 2.1 }],
    });
  });

  const fattura = `<p:FatturaElettronica xmlns:p="x"><FatturaElettronicaHeader><CedentePrestatore><DatiAnagrafici><IdFiscaleIVA><IdPaese>IT</IdPaese><IdCodice>01234567890</IdCodice></IdFiscaleIVA><Anagrafica><Denominazione>Alfa Srl</Denominazione></Anagrafica></DatiAnagrafici><Sede><Indirizzo>Via Roma</Indirizzo><NumeroCivico>1</NumeroCivico><CAP>20100</CAP><Comune>Milano</Comune></Sede></CedentePrestatore><CessionarioCommittente><DatiAnagrafici><Anagrafica><Nome>Ada</Nome><Cognome>Rossi</Cognome></Anagrafica></DatiAnagrafici></CessionarioCommittente></FatturaElettronicaHeader>
      <FatturaElettronicaBody><DatiGenerali><DatiGeneraliDocumento><Divisa>EUR</Divisa><Data>2024-01-09</Data><Numero>12/A</Numero></DatiGeneraliDocumento></DatiGenerali><DatiBeniServizi><DettaglioLinee><Descrizione>Consulenza</Descrizione><Quantita>1.00</Quantita><PrezzoUnitario>100.00</PrezzoUnitario><PrezzoTotale>100.00</PrezzoTotale></DettaglioLinee><DatiRiepilogo><ImponibileImporto>100.00</ImponibileImporto><Imposta>22.00</Imposta></DatiRiepilogo></DatiBeniServizi></FatturaElettronicaBody></p:FatturaElettronica>`;
  const readFattura = (text: string) =>
    extractFields(textPage([], { format: "xml", embeddedFiles: [{ name: "invoice.xml", text }] })).data;

  it("in FatturaPA is read", () => {
    expect(readFattura(fattura)).toMatchObject({
      invoice_number: "12/A",
      issue_date: "2024-01-09",
      seller: { name: "Alfa Srl", address: "Via Roma 1, 20100 Milano", vat_id: "IT01234567890" },
      buyer: { name: "Ada Rossi" },
      net_total: 100,
      tax_total: 22,
      tax_breakdown: [{ base: 100, tax: 22 }],
    });
  });

  it("in FatturaPA has no sums but those that it states", () => {
    expect(readFattura(fattura).grand_total).toBeNull();
    const stated = "<Divisa>EUR</Divisa><ImportoTotaleDocumento>122.00</ImportoTotaleDocumento>";
    expect(readFattura(fattura.replace("<Divisa>EUR</Divisa>", stated)).grand_total).toBe(122);
    const second =
      "<DatiRiepilogo><AliquotaIVA>4.00</AliquotaIVA><ImponibileImporto>50.00</ImponibileImporto><Imposta>2.00</Imposta></DatiRiepilogo>";
    expect(readFattura(fattura.replace("</DatiBeniServizi>", `${second}</DatiBeniServizi>`))).toMatchObject({
      net_total: null,
      tax_total: null,
      tax_breakdown: [
        { base: 100, tax: 22 },
        { rate: 4, base: 50, tax: 2 },
      ],
    });
  });
});
