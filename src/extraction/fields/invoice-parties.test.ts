import { describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

it("a Dutch postcode is not taken for a Swedish company", () => {
  const { data } = extractFields(
    textPage([
      [0.08, 0.05, "Jansen Advies"],
      [0.08, 0.065, "Oude Markt 17b"],
      [0.08, 0.08, "5611 AB Eindhoven"],
      [0.7, 0.05, "Factuurnummer: 2022-408"],
      [0.7, 0.4, "Te betalen: 339,00"],
    ]),
    "invoice",
  );
  expect(data.seller).toMatchObject({ name: "Jansen Advies" });
});

it("a buyer whose name has the letters of a telephone in it is still a name", () => {
  const { data } = extractFields(
    textPage([
      [0.08, 0.05, "Atelier du Port"],
      [0.08, 0.065, "14 quai Nord"],
      [0.08, 0.08, "17000 La Rochelle"],
      [0.6, 0.05, "Facture n° 5-45-354"],
      [0.6, 0.12, "Client"],
      [0.6, 0.135, "Hôtel des Voyageurs"],
      [0.6, 0.15, "3 avenue de la Gare"],
      [0.6, 0.165, "44000 Nantes"],
      [0.7, 0.4, "Total TTC 339,00 €"],
    ]),
    "invoice",
  );
  expect(data.buyer).toMatchObject({ name: "Hôtel des Voyageurs" });
});

it("of two companies without headings the one with a tax number under its address sells", () => {
  const { data } = extractFields(
    textPage([
      [0.08, 0.05, "Noorderwind BV"],
      [0.08, 0.065, "Europaweg 27"],
      [0.08, 0.08, "9723 AS Groningen"],
      [0.6, 0.05, "Eikenboom BV"],
      [0.6, 0.065, "Dorpsstraat 25"],
      [0.6, 0.08, "9751 WJ Haren"],
      [0.6, 0.11, "BTW-nummer: NL858945599B01"],
      [0.08, 0.2, "Factuurnummer: 2019.6"],
      [0.7, 0.4, "Te betalen: 339,00"],
    ]),
    "invoice",
  );
  expect(data).toMatchObject({ seller: { name: "Eikenboom BV" }, buyer: { name: "Noorderwind BV" } });
});

type Line = [left: number, top: number, text: string];

describe("the buyer of an invoice", () => {
  const buyerOf = (...lines: string[]): unknown =>
    extractFields(
      textPage([
        [0.08, 0.05, "Cascade Ridge Electric LLC"],
        [0.6, 0.05, "INVOICE"],
        [0.6, 0.08, "Invoice number: 20931"],
        [0.08, 0.15, "Bill to"],
        ...lines.map((text, index): [number, number, string] => [0.08, 0.17 + index * 0.017, text]),
        [0.6, 0.4, "Total"],
        [0.8, 0.4, "120.00"],
      ]),
      "invoice",
    ).data.buyer;

  it.each(["Attn: Accounts Payable", "c/o Miller Estates", "z. Hd. Frau Berger", "t.a.v. de administratie"])(
    'is not the office or person that "%s" should reach there',
    (line) => {
      const address = ["422 NW Front Ave", "Portland, OR 97209"];
      expect(buyerOf("Harborview Dental Group", line, ...address)).toMatchObject({ name: "Harborview Dental Group" });
    },
  );

  it("may have a word for a street, or a house, in its name", () => {
    const address = ["Wall Road", "Hexham NE46 3DT"];
    expect(buyerOf("Northgate Primary School", ...address)).toMatchObject({ name: "Northgate Primary School" });
    expect(buyerOf("Asunto Oy Merikannontie 12", ...address)).toMatchObject({ name: "Asunto Oy Merikannontie 12" });
  });
});

describe("numbers beside each other", () => {
  const read = (lines: [number, number, string][]) =>
    extractFields(
      textPage([
        [0.08, 0.05, "Studio Waalkade B.V."],
        [0.08, 0.07, "Waalkade 112"],
        [0.08, 0.09, "6511 XR Nijmegen"],
        ...lines,
        [0.6, 0.4, "Totaal"],
        [0.8, 0.4, "€ 121,00"],
      ]),
      "invoice",
    ).data as { invoice_number: string | null; seller: { vat_id: string | null; address: string | null } };

  it("are told apart: the number of a register is no tax number", () => {
    const { seller } = read([
      [0.08, 0.11, "KvK 09182736"],
      [0.08, 0.13, "Btw NL002837465B21"],
    ]);
    expect(seller.vat_id).toBe("NL002837465B21");
  });

  it("may say behind the digits what they are", () => {
    expect(read([[0.08, 0.11, "CHE-114.882.305 MWST"]]).seller.vat_id).toBe("CHE114882305MWST");
  });

  it("are no numbers of an invoice when they are dates", () => {
    const { invoice_number } = read([
      [0.6, 0.05, "Creditfactuur"],
      [0.6, 0.07, "2026-08-14"],
    ]);
    expect(invoice_number).toBeNull();
  });
});

it("an address in the line of a sender ends with its town", () => {
  const { data } = extractFields(
    textPage([
      [0.08, 0.05, "Kullabygdens Trädgård AB"],
      [0.6, 0.05, "Faktura 50072"],
      [0.6, 0.4, "Att betala"],
      [0.8, 0.4, "2 000,00"],
      [
        0.08,
        0.9,
        "Kullabygdens Trädgård AB · Norra Kustvägen 40 · 263 91 Höganäs · Org.nr 556677-8899 · Bankgiro 5123-4567",
      ],
    ]),
    "invoice",
  );
  expect(data.seller).toMatchObject({ address: "Norra Kustvägen 40, 263 91 Höganäs" });
});

describe("layouts that few documents have", () => {
  const total: Line[] = [
    [0.6, 0.4, "Total"],
    [0.8, 0.4, "1,190.00"],
  ];
  const read = (lines: Line[]) => extractFields(textPage([...lines, ...total]), "invoice").data;

  it.each([
    ["Brazil", "Padaria Aurora Ltda", "CNPJ: 12.345.678/0001-95", "12.345.678/0001-95"],
    ["India", "Lotus Traders Pvt Ltd", "GSTIN: 29ABCDE1234F1Z5", "29ABCDE1234F1Z5"],
    ["Mexico", "Muebles Sol S.A. de C.V.", "RFC: MSO850101AB1", "MSO850101AB1"],
  ])("have tax numbers as %s writes them", (_country, name, line, vat_id) => {
    const data = read([
      [0.1, 0.05, name],
      [0.1, 0.09, line],
      [0.1, 0.2, "Invoice No: 88"],
    ]);
    expect(data).toMatchObject({ seller: { name, vat_id } });
  });

  it("name a bank to pay to, which is not the seller", () => {
    const data = read([
      [0.1, 0.05, "Nordwind Segel"],
      [0.1, 0.07, "Hafenstraße 3, 24103 Kiel"],
      [0.1, 0.2, "Bill to: Klara Vogt, Am Markt 1, 23552 Lübeck"],
      [0.1, 0.8, "Pay to: Volksbank Kiel eG, IBAN DE89 3704 0044 0532 0130 00"],
    ]);
    expect(data).toMatchObject({ seller: { name: "Nordwind Segel" }, buyer: { name: "Klara Vogt" } });
  });

  it("name a person at the company that buys, who is not the buyer", () => {
    const data = read([
      [0.1, 0.05, "Acme Tools Ltd"],
      [0.1, 0.07, "1 High Street, London EC1A 1BB"],
      [0.1, 0.2, "Bill to"],
      [0.1, 0.22, "Brightwater Foods"],
      [0.1, 0.24, "Attn: Jane Doe"],
      [0.1, 0.26, "5 Dock Road, Leeds LS1 4AP"],
    ]);
    expect(data).toMatchObject({ buyer: { name: "Brightwater Foods", address: "5 Dock Road, Leeds LS1 4AP" } });
  });

  it("have a street without a number, which is nobody's name", () => {
    const data = read([
      [0.1, 0.05, "Atelier Moreau"],
      [0.1, 0.07, "Rue de la Paix"],
      [0.1, 0.09, "75002 Paris"],
      [0.1, 0.15, "Facture n° 18"],
    ]);
    expect(data).toMatchObject({ seller: { name: "Atelier Moreau" }, buyer: { name: null } });
  });

  it("set values at the other end of the cells under their headings, in the same order", () => {
    const data = read([
      [0.4, 0.05, "Bäckerei Sonnleitner"],
      [0.2, 0.15, "Rechnungs-Nr."],
      [0.48, 0.15, "Rechnungsdatum"],
      [0.8, 0.15, "Fällig am"],
      [0.09, 0.168, "33/2023"],
      [0.37, 0.168, "05.04.2024"],
      [0.69, 0.168, "05.05.2024"],
    ]);
    expect(data).toMatchObject({ invoice_number: "33/2023", issue_date: "2024-04-05", due_date: "2024-05-05" });
  });
});

describe("the parties of an invoice", () => {
  const read = (...lines: Line[]): Record<string, unknown> => extractFields(textPage(lines), "invoice").data;
  /** Lines whose right edges are under each other; a letter is as wide as the page of the test makes it. */
  const endingAt = (right: number, top: number, ...texts: string[]): Line[] => {
    const width = (text: string): number => {
      const [left, , end] = textPage([[0, 0.1, text]]).pages[0]!.lines[0]!.box;
      return end - left;
    };
    return texts.map((text, index): Line => [right - width(text), top + index * 0.017, text]);
  };

  it.each([
    ["Tidewater Marine Repairs", "Pty Ltd"],
    ["Gerüstbau Ahlers GmbH", "& Co. KG"],
  ])("have the legal form that did not fit beside %s, also where lines end alike", (name, form) => {
    const { seller } = read(
      ...endingAt(0.92, 0.05, name, form, "18 Wharf Road", "Geelong VIC 3220"),
      [0.08, 0.12, "Bill to:"],
      [0.08, 0.137, "Golden Point Motor Inn"],
      [0.08, 0.154, "242 Main Road"],
      [0.08, 0.171, "Ballarat VIC 3350"],
      [0.08, 0.3, "Invoice 1057"],
      [0.7, 0.5, "Total: 220.00"],
    );
    expect(seller).toMatchObject({ name: `${name} ${form}` });
  });

  it("are the left and the right block where no word tells which is whose", () => {
    const { seller, buyer } = read(
      [0.7, 0.05, "Invoice #: 20417"],
      [0.1, 0.15, "Bluefin Web Studio, Inc."],
      [0.1, 0.167, "2210 Harbor View Drive"],
      [0.1, 0.184, "Annapolis, MD 21403"],
      [0.65, 0.15, "Okafor Family Dental"],
      [0.65, 0.167, "17 Maple Street"],
      [0.65, 0.184, "Bowie, MD 20715"],
      [0.7, 0.4, "Total: $380.50"],
    );
    expect([seller, buyer]).toMatchObject([{ name: "Bluefin Web Studio, Inc." }, { name: "Okafor Family Dental" }]);
  });

  it("stand behind a word in capitals without a colon", () => {
    const { buyer } = read(
      [0.08, 0.05, "Ridgeline Event Rentals LLC"],
      [0.08, 0.15, "PROJECT Harvest festival"],
      [0.08, 0.167, "CLIENT Fieldsong Arts Collective"],
      [0.08, 0.184, "ADDRESS 796 Silver Harbour, Sedona, AZ 86336"],
      [0.6, 0.05, "INVOICE 4-11-2"],
      [0.6, 0.4, "GRAND TOTAL $380.50"],
    );
    expect(buyer).toMatchObject({ name: "Fieldsong Arts Collective" });
  });

  it("are the company, not the person named over it", () => {
    const { buyer } = read(
      [0.08, 0.05, "Festoon Lighting Corp."],
      [0.6, 0.05, "INVOICE"],
      [0.6, 0.08, "Invoice number: 1721"],
      [0.08, 0.15, "Bill to"],
      [0.08, 0.17, "Joanna Whitfield"],
      [0.08, 0.187, "Xenia Interiors Inc."],
      [0.08, 0.204, "1234 Main Street, New York, NY 10001"],
      [0.6, 0.4, "Grand Total: $939.00"],
    );
    expect(buyer).toMatchObject({ name: "Xenia Interiors Inc." });
  });

  it("are named in the box under their heading", () => {
    const { buyer } = read(
      [0.35, 0.05, "Ferretería El Tornillo"],
      [0.7, 0.05, "No. Factura: 000482"],
      [0.45, 0.15, "Cliente"],
      [0.1, 0.17, "RFC:"],
      [0.2, 0.17, "AIMG850312K47"],
      [0.1, 0.187, "Nombre:"],
      [0.2, 0.187, "Guillermo Ávila Montes"],
      [0.7, 0.4, "Total 2,570.70"],
    );
    expect(buyer).toMatchObject({ name: "Guillermo Ávila Montes" });
  });

  it("are no county", () => {
    const { buyer } = read(
      [0.1, 0.05, "Skerries Marine Engineering Ltd"],
      [0.6, 0.05, "Harbour Road"],
      [0.6, 0.067, "Skerries, Co. Dublin"],
      [0.1, 0.2, "Invoice Number: 0031"],
      [0.6, 0.2, "Fingal Fishing Cooperative Society"],
      [0.6, 0.217, "Howth, Co. Dublin"],
      [0.7, 0.4, "Total €254.90"],
    );
    expect(buyer).toMatchObject({ name: "Fingal Fishing Cooperative Society" });
  });

  it("have no telephone number for a tax number", () => {
    const { seller } = read(
      [0.08, 0.05, "Construcciones Peñalver, S.L."],
      [0.08, 0.067, "NIF: B83456781"],
      [0.08, 0.084, "Calle Mayor 118"],
      [0.08, 0.101, "28013 Madrid"],
      [0.08, 0.118, "Tel: 915 550 163"],
      [0.08, 0.3, "Factura F-2025/77"],
      [0.7, 0.4, "Total 120,00 €"],
    );
    expect(seller).toMatchObject({ vat_id: "B83456781" });
  });
});
