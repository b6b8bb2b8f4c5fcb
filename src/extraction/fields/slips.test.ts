import { describe, expect, it } from "vitest";
import { slip } from "../../../tests/support/slip-page.ts";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

const goods = ["12/30/2016 19:19", "Noodles|13.99", "Dumplings|8.99", "SUBTOTAL|22.98", "TAX|1.84", "TOTAL|24.82"];

describe("the head of a slip", () => {
  it("ends its address before a telephone number that no word names", () => {
    expect(slip(["Golden Wok", "2621 Orchard Ave, Fullerton", "(714)879-3574", ...goods])).toMatchObject({
      company: "Golden Wok",
      address: "2621 Orchard Ave, Fullerton",
    });
  });

  it("passes over a telephone number between the street and the town, and takes the postcode below the state", () => {
    expect(
      slip(["Harper's Fuel", "3440 Station St", "617-318-1141", "Mill Plain, MA", "02130", ...goods]).address,
    ).toBe("3440 Station St Mill Plain, MA 02130");
  });

  it("has a name over two lines whose second says what kind of shop it is", () => {
    expect(slip(["LOTUS", "KOREAN RESTAURANT", "12 Orchard Ave", "Austin, TX 78701", ...goods]).company).toBe(
      "LOTUS KOREAN RESTAURANT",
    );
  });

  it("has no number of a branch in its name, and no greeting", () => {
    expect(slip(["WELCOME TO", "BULLSEYE", "STORE #1234", "12 Oak Ave", "Austin, TX 78701", ...goods]).company).toBe(
      "BULLSEYE",
    );
  });

  it("has no telephone number behind the postcode in its address, and no table of the visit", () => {
    expect(slip(["COMPARE MART", "2000 AVONDALE DR", "DURHAM, N.C. 27704 Tel (919)220-9638", ...goods]).address).toBe(
      "2000 AVONDALE DR DURHAM, N.C. 27704",
    );
    expect(slip(["Asia Bay", "1007 Kane Concourse", "305 861-2222", "Table 12", ...goods]).address).toBe(
      "1007 Kane Concourse",
    );
  });

  it("has a street in the south east and a town with its province", () => {
    expect(slip(["FIVE BROTHERS", "1413 Fourth St SE", "Minneapolis, MN 55414", ...goods])).toMatchObject({
      company: "FIVE BROTHERS",
      address: "1413 Fourth St SE Minneapolis, MN 55414",
    });
    expect(slip(["CAFFE TORINO", "PIAZZA CADORNA N.23", "STRESA (VB)", "TEL. 0323.30652", ...goods]).address).toBe(
      "PIAZZA CADORNA N.23 STRESA (VB)",
    );
  });

  it("has an address of town and region alone, and no numbered title for a postcode", () => {
    expect(slip(["CAFE KAVERI", "Mysore, Karnataka", "Bill No : CCD-12345", ...goods]).address).toBe(
      "Mysore, Karnataka",
    );
  });

  it("begins with the number of a house, whatever the street is, and may end in a town with a slash", () => {
    expect(slip(["Best Noodles", "NO.12,JA:AN SS4C/5,PETALING", "40170 SHAH ALAM", ...goods]).address).toBe(
      "NO.12,JA:AN SS4C/5,PETALING 40170 SHAH ALAM",
    );
    expect(slip(["COLMADO SOL", "C/ Duarte #45, Santiago", ...goods])).toMatchObject({
      company: "COLMADO SOL",
      address: "C/ Duarte #45, Santiago",
    });
    expect(slip(["Bom Preco Ltda", "Rua das Acacias, 210 - Centro", "Blumenau/SC", ...goods])).toMatchObject({
      company: "Bom Preco Ltda",
      address: "Rua das Acacias, 210 - Centro Blumenau/SC",
    });
  });
});

describe("the name of a slip", () => {
  it("is no address of a page on the web, and has no telephone number behind it", () => {
    const rows = [
      "SAINS LOCAL",
      "Sains Food Supermarkets Ltd",
      "33 Holborn London EC1N 2HT",
      "www.sains.co.uk",
      ...goods,
    ];
    expect(slip(rows)).toMatchObject({ company: "Sains Food Supermarkets Ltd", address: "33 Holborn London EC1N 2HT" });
    expect(slip(["SHELL QUAYSIDE 01382443110", "QUAY STREET, DUNDEE, DD4 7PY", ...goods]).company).toBe(
      "SHELL QUAYSIDE",
    );
  });

  const place = ["12 Oak Ave", "Austin, TX 78701", ...goods];

  it("has no word for a receipt behind it, and no mark of a telephone is an address", () => {
    expect(
      slip(["Rosa Bakery Receipt", "10768 - 99 Street, Edmonton AB T5H 1N7", "Ph (780) 429-9989", ...goods]),
    ).toMatchObject({
      company: "Rosa Bakery",
      address: "10768 - 99 Street, Edmonton AB T5H 1N7",
    });
  });

  it("has nothing with digits behind its legal form, and may go on with the owner", () => {
    expect(slip(["Rosa Sp. z o.o. Sklep nr 12", "ul. Polna 3", "31-580 Krakow", ...goods]).company).toBe(
      "Rosa Sp. z o.o.",
    );
    expect(slip(["CAFFE LUNA", "DI CARLA BIANCHI", "Via Roma 3", "20154 Milano", ...goods]).company).toBe(
      "CAFFE LUNA DI CARLA BIANCHI",
    );
  });

  it("may be a word for a sum", () => {
    expect(slip(["Netto", ...place]).company).toBe("Netto");
  });

  it("is no sentence under it", () => {
    expect(slip(["Rite Corner", "With us, it's personal.", ...place]).company).toBe("Rite Corner");
  });
});

describe("the lines of a slip", () => {
  it("go on behind what was saved on one of them", () => {
    expect(slip(["Mart", "Pasta|1.49", "BB SAVINGS .60", "Cheese|2.49", "TOTAL|3.98"]).lines).toHaveLength(2);
  });

  it("say behind their names how many there were", () => {
    expect(
      slip(["Repairs", "Item|Total", "Case phone 13 x2|29.80", "Glass x1|9.90", "TOTAL:|39.70"]).lines,
    ).toMatchObject([
      { quantity: 2, total: 29.8 },
      { quantity: 1, total: 9.9 },
    ]);
  });

  it("have quantities before most of their names", () => {
    const { lines } = slip(["Bar", "2 AGUA 1.85|3.70", "1 CREMA|2.95", "PAN|1.00", "TOTAL|7.65"]);
    expect(lines).toEqual([
      { description: "AGUA", quantity: 2, unit_price: 1.85, total: 3.7 },
      { description: "CREMA", quantity: 1, unit_price: 2.95, total: 2.95 },
      { description: "PAN", quantity: 1, unit_price: 1, total: 1 },
    ]);
  });

  it("have their names over a row of prices, and remarks under them", () => {
    expect(slip(["Pizza", "2x Guarana 2L", "R$ 11.00 un|R$ 22.00", "TOTAL|R$ 22.00"]).lines).toMatchObject([
      { description: "Guarana 2L", quantity: 2, total: 22 },
    ]);
    expect(
      slip(["Mart", "PEPPER|0.56 TFW", "0.71lbs @ 0.79lb TW 0.01", "LIMES|0.59", "5 FOR 0.99", "TOTAL|1.15"]).lines,
    ).toHaveLength(2);
  });

  it("with a charge for the table among them have that, too", () => {
    expect(slip(["Trattoria", "COPERTO|5,00", "PRIMO|15,00", "TOTALE EURO|20,00"]).lines).toHaveLength(2);
  });

  it("may begin with letters that are a tax elsewhere", () => {
    const rows = ["Garage", "PST-014 Brake pads", "1 x 189.90|189.90", "TOTAL|189.90"];
    expect(slip(rows).lines).toMatchObject([{ description: "PST-014 Brake pads", total: 189.9 }]);
  });

  it("are not looked for under a row of sums", () => {
    const rows = [
      "Drugs",
      "1 Tea|7.99",
      "2 Coffee|4.00",
      "2 Items Subtotal|11.99",
      "Tax|.78",
      "Total|12.77",
      "Balance:|0.00",
    ];
    expect(slip(rows).lines).toHaveLength(2);
  });

  it("may end in the class of their tax, apart, glued to the amount or as a digit", () => {
    const { lines } = slip(["Shop", "Tea|9.99|A", "Gift 12345|100.00N", "3x Soup|a|3,00|9,00 1", "TOTAL|118.99"]);
    expect(lines).toMatchObject([
      { quantity: 1, total: 9.99 },
      { quantity: 1, total: 100 },
      { description: "Soup", quantity: 3, unit_price: 3, total: 9 },
    ]);
  });

  it("are read without the headings over them where only that comes to the sum", () => {
    const rows = ["Bar Central", "QTD ITEM||VALOR", "3x Beer|30.00", "1x Olives|5.50", "Subtotal|35.50", "TOTAL|35.50"];
    expect(slip(rows).lines).toMatchObject([
      { description: "Beer", quantity: 3, total: 30 },
      { description: "Olives", quantity: 1, total: 5.5 },
    ]);
  });

  it("may have a measure with two decimals at the end of their name", () => {
    const { lines } = slip(["Bodega", "Red wine 0,75", "2 x 4,50|9,00", "Bread|1,20", "TOTAL|10,20"]);
    expect(lines).toEqual([
      { description: "Red wine 0,75", quantity: 2, unit_price: 4.5, total: 9 },
      { description: "Bread", quantity: 1, unit_price: 1.2, total: 1.2 },
    ]);
  });

  it("may count behind their price, before their name, to a thousandth, or beside a price for a weight", () => {
    const { lines } = slip([
      "Shop",
      "Cheese 2.49 x 3|7.47 A",
      "x2 Pasta|1.98",
      "Bananas",
      "0.532 kg 1.99 €/kg|1.06",
      "Yoghurt C 2.000 x 2.69|5.38C",
      "Burger x2$5.00",
      "Oranges 2.69 x 1.422|3.83",
      "TOTAL|24.72",
    ]);
    expect(lines).toMatchObject([
      { description: "Cheese", quantity: 3, unit_price: 2.49 },
      { description: "Pasta", quantity: 2, total: 1.98 },
      { description: "Bananas", quantity: 0.532, unit_price: 1.99, total: 1.06 },
      { quantity: 2, unit_price: 2.69, total: 5.38 },
      { description: "Burger", quantity: 2, total: 5 },
      { description: "Oranges", quantity: 1.422, unit_price: 2.69 },
    ]);
  });

  it("have a rate between their name and an amount with a star, and no number of the slip among them", () => {
    expect(
      slip(["Shop", "RECEIPT NO 10482", "KOFTE %10|*250,00", "AYRAN %10|*30,00", "TOTAL|*280,00"]).lines,
    ).toMatchObject([
      { quantity: 1, total: 250 },
      { quantity: 1, total: 30 },
    ]);
  });

  it("have what was saved among them where that was taken off, and not where it is only told", () => {
    expect(slip(["Shop", "Bread|2.00", "You saved|-0.50", "Milk|1.00", "TOTAL|2.50"]).lines).toHaveLength(3);
    expect(slip(["Shop", "Bread|2.00", "You saved|-0.50", "Milk|1.00", "TOTAL|3.00"]).lines).toHaveLength(2);
  });

  it("end at what they come to, whatever that is called, and have codes between their names and their amounts", () => {
    const { lines } = slip([
      "Shop",
      "Jeans slim",
      "62049720912|31/34",
      "405765|1 x 49.99|49.99",
      "Belt|10.00",
      "Wonders|59.99",
      "Paid by card|59.99",
    ]);
    expect(lines).toMatchObject([
      { description: "Jeans slim", quantity: 1, total: 49.99 },
      { description: "Belt", total: 10 },
    ]);
  });

  it("may have their sum under what was counted, or behind a colon", () => {
    expect(
      slip(["Fuels", "Regular Unleaded", "15.234 gal @ $3.45/gal", "Fuel:|$52.56", "Tax:|$4.20", "Total:|$56.76"])
        .lines,
    ).toEqual([{ description: "Regular Unleaded", quantity: 15.234, unit_price: 3.45, total: 52.56 }]);
    const { lines } = slip([
      "Shop",
      "Apple x4 @ $110.50 each: $442.00",
      "Discount: 10%|-44.20",
      "Tea (x2)|3.00 DH",
      "TOTAL|400.80 DH",
    ]);
    expect(lines).toMatchObject([
      { description: "Apple", quantity: 4, unit_price: 110.5 },
      { total: -44.2 },
      { description: "Tea", quantity: 2, total: 3 },
    ]);
  });

  it("without cents are amounts where they come to the sum", () => {
    expect(
      slip(["Cafe", "Cappuccino|150", "Sandwich|200", "Subtotal:|350", "GST (5%):|17.50", "TOTAL:|367.50"]),
    ).toMatchObject({ total: 367.5, lines: [{ total: 150 }, { total: 200 }] });
  });

  it("end before tips and totals that have a word before them", () => {
    expect(slip(["Grill", "Steak|20.00", "FUEL TOTAL|20.00", "TIP|2.00", "TOTAL|22.00"]).lines).toHaveLength(1);
  });
});

describe("the total of a slip", () => {
  it("may stand below its word, or behind a word that ends in the currency", () => {
    expect(slip(["Shop", "Tea|12.50", "Bread|4.00", "Total (Euro):", "|16.50", "Multibanco|16.50"]).total).toBe(16.5);
    const paid = ["TOTAL|46.20", "DISCOUNT BY CARD|6.20", "AMOUNT PAYABLE|40.00"];
    expect(slip(["Shop", "Tea|40.20", "Bread|6.00", ...paid]).total).toBe(40);
    expect(slip(["Shop", "Tea|12.50", "TOTAL: RD$ 1370.00", "Recibido: RD$ 1500.00"]).total).toBe(1370);
  });

  it("is the later one, which adds a tip", () => {
    expect(slip(["Grill", "Steak|20.00", "Wine|9.00", "Total|29.00", "Gratuity 20%|5.80", "Total|34.80"]).total).toBe(
      34.8,
    );
  });

  it("is what is left of the goods after a discount", () => {
    expect(slip(["Deli", "Rice|57.80", "Beans|25.47", "Subtotal:|83.27", "Discount:|3.27", "Total:|80.00"]).total).toBe(
      80,
    );
  });

  it("is what was paid where no word for a sum stands on it", () => {
    expect(
      slip(["Parking House", "12 Oak Ave", "Austin, TX 78701", "05/03/2024 10:00", "Amount paid|$12.50"]).total,
    ).toBe(12.5);
  });

  it("is no saving, which is called a total as well", () => {
    expect(slip(["Mart", "TOTAL SAVINGS|4.26", "Milk|3.29", "Eggs|2.99", "TOTAL TAX|.00", "TOTAL|6.28"]).total).toBe(
      6.28,
    );
  });

  it.each([
    ["Rp 77.000", 77000],
    ["$123.000", 123000],
    ["49 600 FCFA", 49600],
    ["Rs. 7,500", 7500],
    ["₦133,750.00", 133750],
    ["P2,450.00", 2450],
    ["c2,90", 2.9],
  ])("may be written as %s", (amount, total) => {
    expect(slip(["Warung", `Meal|${amount}`, `TOTAL|${amount}`]).total).toBe(total);
  });
});

it("the month and the day of a slip may stand glued together", () => {
  expect(slip(["Thai House", "Mar06'16 05:47PM", "Rice|2.50", "TOTAL|2.50"]).date).toBe("2016-03-06");
});

it("a sheet with the number of a receipt is a receipt", () => {
  const { document_type } = extractFields(
    textPage([
      [0.1, 0.05, "Mercearia Nova"],
      [0.1, 0.08, "Receipt #58"],
      [0.1, 0.1, "Date: 2025-11-04"],
      [0.1, 0.15, "Product"],
      [0.5, 0.15, "Qty"],
      [0.7, 0.15, "Unit"],
      [0.85, 0.15, "Subtotal"],
      [0.1, 0.17, "Rice"],
      [0.5, 0.17, "2"],
      [0.7, 0.17, "28.90"],
      [0.85, 0.17, "57.80"],
      [0.75, 0.2, "Total: 57.80"],
    ]),
  );
  expect(document_type).toBe("receipt");
});

it("a page no wider than a roll of paper is a slip", () => {
  const page = textPage([
    [0.1, 0.05, "Lazz Pharma"],
    [0.1, 0.1, "Invoice: SL-000912"],
    [0.1, 0.15, "Date: 2026-02-03"],
    [0.1, 0.2, "Napa 10 x 2.50"],
    [0.8, 0.2, "25.00"],
    [0.1, 0.3, "Total"],
    [0.8, 0.3, "25.00"],
  ]);
  const roll = { ...page, pages: [{ ...page.pages[0]!, width: 227, height: 330 }] };
  expect(extractFields(page).document_type).toBe("invoice");
  expect(extractFields(roll).document_type).toBe("receipt");
});

it("amounts of thousands without a currency are amounts where nothing has cents", () => {
  const { total, lines } = slip([
    "TOKO",
    "Item|Qty|Total",
    "Beras|1|72.000",
    "Minyak|2|73.000",
    "TOTAL|145.000",
    "TUNAI|150.000",
  ]);
  expect(total).toBe(145000);
  expect(lines).toHaveLength(2);
});
