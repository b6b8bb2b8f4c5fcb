import { describe, expect, it } from "vitest";
import { slip } from "../../../tests/support/slip-page.ts";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

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

  it("may be an amount and its currency alone on their row", () => {
    const rows = ["Hotel Adler GmbH", "Marktplatz 3", "79098 Freiburg", "Kartenzahlung", "girocard", "EUR 412,50"];
    expect(slip([...rows, "PAN ####3456", "11:02 Uhr"])).toMatchObject({ total: 412.5, lines: [] });
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

it("a word for a copy on top is no shop, in any language", () => {
  for (const word of ["*** KOPIE ***", "Duplicata", "Másolat", "Kopia"])
    expect(slip([word, "EDEKA Schmidt", "Lindenweg 3", "24103 Kiel", ...goods])).toMatchObject({
      company: "EDEKA Schmidt",
      address: "Lindenweg 3 24103 Kiel",
    });
});

it("the sign of a number behind a name leads to its branch", () => {
  expect(slip(["Tim's #1234", "100 King St W", "Toronto, ON M5X 1A9", ...goods]).company).toBe("Tim's");
});

describe("the address of a shop", () => {
  it("has streets with dots that are no numbers of registers", () => {
    expect(slip(["ALDI SÜD", "Aachener Str. 100", "50674 Köln", ...goods]).address).toBe(
      "Aachener Str. 100 50674 Köln",
    );
  });

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

  it("is not that behind the name on its line, and may be in the same town", () => {
    const office = ["Gorica, d.o.o., Dunajska cesta 107, 1000 Ljubljana", "ID za DDV: SI45884595"];
    expect(slip([...office, "Slovenska cesta 12", "1000 Ljubljana", ...goods])).toMatchObject({
      company: "Gorica, d.o.o.",
      address: "Slovenska cesta 12 1000 Ljubljana",
    });
    expect(slip([...office, ...goods]).address).toBe("Dunajska cesta 107, 1000 Ljubljana");
  });

  it("has no number of a branch in front, and no street that Greek letters hide", () => {
    const office = ["Gut AG", "Straße 3, 2355 Wiener Neudorf", "Filiale 1234"];
    expect(slip([...office, "Mariahilfer Straße 45", "1060 Wien", ...goods]).address).toBe(
      "Mariahilfer Straße 45 1060 Wien",
    );
    expect(slip(["ΕΛΙΑ Α.Ε.", "Κηφισίας 136", "115 24 Αθήνα", ...goods]).address).toBe("Κηφισίας 136 115 24 Αθήνα");
  });

  it("goes on behind a comma, and is one where its postcode is read twice", () => {
    expect(slip(["Mart", "Lot 1504, Batu 8,", "46000 Petaling Jaya", ...goods]).address).toBe(
      "Lot 1504, Batu 8, 46000 Petaling Jaya",
    );
    expect(slip(["Mart", "216, Bay Road, 10400 Penang.", "16400 Penang.", ...goods]).address).toBe(
      "216, Bay Road, 10400 Penang. 16400 Penang.",
    );
  });

  it("ends in a British postcode that recognition read with an I", () => {
    expect(slip(["THE RED LION", "48 Parliament Street", "London SWIA 2NH", ...goods], "ocr").address).toBe(
      "48 Parliament Street London SW1A 2NH",
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

describe("what a till prints is a receipt", () => {
  const rows = [
    "Gut Bio Genossenschaft",
    "Bahnhofplatz 5, 9000 St. Gallen",
    "MWST-Nr. CHE-105.826.001 MWST",
    "Faktura Nr. 4711-0088",
    "Datum 14.03.2026",
    "Artikel|Menge|Preis|Betrag",
    "Vollmilch|1|3.20|3.20",
    "Gipfeli|2|2.50|5.00",
    "Rotwein|1|14.65|14.65",
    "Total CHF|22.85",
    "MWST|Netto|Steuer|Brutto",
    "2.6%|7.99|0.21|8.20",
    "8.1%|13.55|1.10|14.65",
    "Maestro|22.85",
  ];
  const lines = rows.flatMap((row, index) =>
    row.split("|").map((text, at) => [0.05 + at * 0.25, 0.04 + index * 0.04, text] as const),
  );

  it("though it has a number of an invoice, headings and taxes, on paper of 80 mm", () => {
    const page = textPage(lines);
    // 80 mm, 90 of those that leave a margin, and more where it is as long as no sheet.
    for (const [width, height] of [
      [227, 400],
      [256, 400],
      [320, 560],
    ] as const) {
      const roll = { ...page, pages: [{ ...page.pages[0]!, width, height }] };
      expect(extractFields(roll).document_type).toBe("receipt");
    }
    expect(extractFields(page).document_type).toBe("invoice");
  });
});

describe("the day of a slip", () => {
  it("may have its time behind a slash", () => {
    expect(slip(["Shop", ...goods.slice(0, 3), "14.03.26/18:22"]).date).toBe("2026-03-14");
  });

  it("is written with an r behind the year by Polish tills", () => {
    expect(slip(["Sklep", "Mleko|7,98", "Kawa|12,99", "SUMA PLN|20,97", "dn.26r03.10"]).date).toBe("2026-03-10");
  });
});

/** Description, quantity, price of one and total of each line. */
const linesOf = (...rows: string[]): string[] => {
  const lines = slip(["Shop Foo", "Main Street 12", "14.03.2026 18:22", ...rows]).lines as Record<string, unknown>[];
  return lines.map((line) => Object.values(line).join(" | "));
};

describe("how many there were", () => {
  it("stands over the thing in Hungary, Romania and Turkey, with amounts in thousands and without cents", () => {
    const rows = ["TEJ|899 Ft", "2 db x 350 Ft/db", "KIFLI|700 Ft", "0,612 kg x 2 776 Ft/kg", "KARAJ|1 699 Ft"];
    expect(linesOf(...rows, "ÖSSZESEN:|3 298 Ft")).toEqual([
      "TEJ | 1 | 899 | 899",
      "KIFLI | 2 | 350 | 700",
      "KARAJ | 0.612 | 2776 | 1699",
    ]);
    expect(linesOf("2.000 BUC. x 6,50", "LAPTE|13,00 B", "1 BUC X 35,30", "CAFEA|35,30 A", "TOTAL LEI|48,30")).toEqual([
      "LAPTE | 2 | 6.5 | 13",
      "CAFEA | 1 | 35.3 | 35.3",
    ]);
  });

  it("stands under the thing with its unit before and behind the price", () => {
    const finnish = ["Maito|2,98", "2 KPL|1,49 €/KPL", "Banaani|3,65", "0,744 KG 4,90 €/KG", "YHTEENSÄ|6,63"];
    expect(linesOf(...finnish)).toEqual(["Maito | 2 | 1.49 | 2.98", "Banaani | 0.744 | 4.9 | 3.65"]);
    const swedish = ["Banan|11,92", "0,456kg*26,15Kr/kg", "Glass|20,00", "2 st à 10,00", "Totalt|31,92"];
    expect(linesOf(...swedish)).toEqual(["Banan | 0.456 | 26.15 | 11.92", "Glass | 2 | 10 | 20"]);
    const british = ["APPLES|2.14", "0.612KG @ 3.49/KG", "MILK", "Qty 2 @ $6.50 each|13.00", "TOTAL|15.14"];
    expect(linesOf(...british)).toEqual(["APPLES | 0.612 | 3.49 | 2.14", "MILK | 2 | 6.5 | 13"]);
  });

  it("is in litres of a fuel, whose grade is its name", () => {
    expect(linesOf("95E10|63,28", "38,42 l x 1,647 EUR/l", "Kaffe|2,00", "SUMME|65,28")).toEqual([
      "95E10 | 38.42 | 1.647 | 63.28",
      "Kaffe | 1 | 2 | 2",
    ]);
    expect(linesOf("SP95-E10", "45,00 L x 1,801 EUR/L|81,05 EUR", "Café|4,00 EUR", "TOTAL TTC|85,05 EUR")).toEqual([
      "SP95-E10 | 45 | 1.801 | 81.05",
      "Café | 1 | 4 | 4",
    ]);
  });

  it("leaves no unit and no sign of equality behind in the name", () => {
    expect(linesOf("Pienas", "1,49 X 2 vnt.|2,98 A", "Sūris|9,50 A", "MOKĖTI|12,48")[0]).toBe(
      "Pienas | 2 | 1.49 | 2.98",
    );
    expect(linesOf("Молоко", "45.00 * 2 шт = 90.00", "Хлеб|30.00", "ИТОГ|120.00")[0]).toBe("Молоко | 2 | 45 | 90");
    expect(linesOf("Mleko 2 szt. x 3,99 = 7,98 A", "Ser|11,48 C", "SUMA PLN|19,46")[0]).toBe("Mleko | 2 | 3.99 | 7.98");
  });

  it("is told where the currency stands apart from the amount", () => {
    expect(linesOf("Leves|2 x 3 490|6 980|Ft", "Sör|3 x 1 350|4 050|Ft", "ÖSSZESEN|11 030 Ft")).toEqual([
      "Leves | 2 | 3490 | 6980",
      "Sör | 3 | 1350 | 4050",
    ]);
  });

  it("is no class of a tax that looks like a number", () => {
    expect(linesOf("WEIN ROT|8|6.41", "MILCH|A|1.59", "SUMME|8.00")[0]).toMatch(/\| 1 \| 6.41 \| 6.41$/);
    expect(linesOf("WEIN ROT|2|6.40", "MILCH|1|1.60", "SUMME|8.00")[0]).toMatch(/^WEIN ROT \| 2/);
  });

  it("is not worked out of a price in the name, and no size is one", () => {
    expect(linesOf("Wings @ 6.50|6.50", "Fries @ 2.00|4.00", "TOTAL|10.50")).toEqual([
      "Wings | 1 | 6.5 | 6.5",
      "Fries |  | 2 | 4",
    ]);
    expect(linesOf("3.6X2.7M TARP|29.99", "NAILS 4x40|3.00", "TOTAL|32.99")).toEqual([
      "3.6X2.7M TARP | 1 | 29.99 | 29.99",
      "NAILS 4x40 | 1 | 3 | 3",
    ]);
  });

  it("stands beside prices without cents, with a dash for them", () => {
    expect(linesOf("Hotel pokoj|2 x|1 450,-|2 900,-", "Snídaně|2 x|150,-|300,-", "Celkem|3 200,- Kč")).toEqual([
      "Hotel pokoj | 2 | 1450 | 2900",
      "Snídaně | 2 | 150 | 300",
    ]);
  });
});

it("a thing over the sum may be called like a way of payment", () => {
  expect(linesOf("CHOC BAR|1.20", "BIRTHDAY CARD|3.00", "TOTAL|4.20", "CASH|5.00", "CHANGE|0.80")).toHaveLength(2);
});
