import { describe, expect, it } from "vitest";
import { slip } from "../../../tests/support/slip-page.ts";

const goods = ["Coffee|2.50", "Cake|3.50", "TOTAL|6.00", "14.03.2026 18:22"];

describe("what was paid", () => {
  it("is no row of a table of taxes, whichever of its columns comes last", () => {
    const rows = ["Markt", "Kaas|12,00", "Wijn|12,15", "TOTAAL|24,15", "PINNEN|24,15"];
    const taxes = ["BTW|OVER|EUR", "9%|11,01|0,99", "21%|10,04|2,11"];
    expect(slip([...rows, ...taxes, "TOTAAL|24,15|3,10"]).total).toBe(24.15);
    expect(slip([...rows, ...taxes, "TOTAAL|21,05|3,10"]).total).toBe(24.15);
  });

  it("may stand below a subtotal of as much", () => {
    expect(slip(["Markt", "Kaas|12,00", "Wijn|12,15", "SUBTOTAAL|24,15", "TOTAAL|24,15"]).total).toBe(24.15);
  });

  it("is the amount of a payment slip that has no other word for it", () => {
    for (const word of ["Betrag EUR", "Importe", "Beløp", "Částka"]) {
      const read = slip(["Hotel Adler GmbH", "Marktplatz 3", "79098 Freiburg", "VISA", `${word}|238,00`, "11:02 Uhr"]);
      expect(read).toMatchObject({ total: 238, lines: [] });
    }
  });

  it("has no shares of taxes among its lines", () => {
    const read = slip(["Sklep", "Mleko|7,98", "Kawa|12,99", "Sp.op.A|12,99", "Kwota PTU A 23%|2,43", "SUMA PLN|20,97"]);
    expect(read).toMatchObject({ total: 20.97, lines: [{ total: 7.98 }, { total: 12.99 }] });
  });
});

describe("the shop", () => {
  it("has the number of its branch behind its name, unless the number is a part of it", () => {
    expect(slip(["Albert Groen 1334", "Vijzelstraat 113", "1017 HJ Amsterdam", ...goods]).company).toBe("Albert Groen");
    expect(slip(["REMA 1000 TORGGATA", "Torggata 11", "0181 OSLO", ...goods])).toMatchObject({
      company: "REMA 1000 TORGGATA",
      address: "Torggata 11 0181 OSLO",
    });
  });

  it("is the brand on top and not that brand with its branch", () => {
    expect(slip(["Coop", "Coop Supermarkt Rosenberg", "Bahnhofstrasse 12", "8400 Winterthur", ...goods])).toMatchObject(
      {
        company: "Coop",
        address: "Bahnhofstrasse 12 8400 Winterthur",
      },
    );
  });
});

describe("the address of a shop", () => {
  it("is not that of the office of its company, on whichever side of it that stands", () => {
    const office = ["Kék Bolt Kft.", "2060 Bicske, Fő út 1."];
    expect(slip([...office, "1052 Budapest, Váci utca 3.", ...goods]).address).toBe("1052 Budapest, Váci utca 3.");
    const rows = ["MORZE, UAB", "Savanorių pr. 247", "LT-02300 Vilnius", "Gedimino pr. 9, LT-01103 Vilnius"];
    expect(slip([...rows, ...goods]).address).toBe("Gedimino pr. 9, LT-01103 Vilnius");
    const shop = ["Sklep 2345", "ul. Polna 104", "00-123 Warszawa"];
    const owner = ["Dobre Zakupy S.A.", "ul. Kwiatowa 5", "62-025 Kostrzyn", "NIP 779-10-11-327"];
    expect(slip([...shop, ...owner, ...goods]).address).toBe("ul. Polna 104 00-123 Warszawa");
    expect(slip([...owner, ...shop.slice(1), ...goods]).address).toBe("ul. Polna 104 00-123 Warszawa");
  });

  it("goes on behind a comma, and is one where its postcode is read twice", () => {
    expect(slip(["Mart", "Lot 1504, Batu 8,", "46000 Petaling Jaya", ...goods]).address).toBe(
      "Lot 1504, Batu 8, 46000 Petaling Jaya",
    );
    expect(slip(["Mart", "216, Bay Road, 10400 Penang.", "16400 Penang.", ...goods]).address).toBe(
      "216, Bay Road, 10400 Penang. 16400 Penang.",
    );
  });

  it("ends in an Irish or a Czech postcode", () => {
    expect(slip(["Quay Pharmacy", "12 Grafton Street", "Dublin 2 D02 X285", ...goods]).address).toBe(
      "12 Grafton Street Dublin 2 D02 X285",
    );
    expect(slip(["Kavárna Most", "Smetanovo nábřeží 2", "110 00 PRAHA 1", ...goods]).address).toBe(
      "Smetanovo nábřeží 2 110 00 PRAHA 1",
    );
  });
});

describe("the day of a slip", () => {
  it("is written with an r behind the year by Polish tills", () => {
    expect(slip(["Sklep", "Mleko|7,98", "Kawa|12,99", "SUMA PLN|20,97", "dn.26r03.10"]).date).toBe("2026-03-10");
  });
});
