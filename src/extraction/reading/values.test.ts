import { describe, expect, it } from "vitest";
import { findNumbers, parseNumber, voteDecimalMark } from "./amounts.ts";
import { failsCheck, findIbans, findTaxNumbers, findVatIds } from "./checks.ts";
import { findCrowns, findCurrency } from "./currency.ts";
import { findDates, voteDateOrder } from "./dates.ts";

const amounts = (text: string, mark: "." | "," = ".") => findNumbers(text, mark).map((number) => number.value);
const days = (text: string, order: "dmy" | "mdy" = "dmy") => findDates(text, order).map((date) => date.iso);

describe("amounts", () => {
  it("read points and commas as the document uses them", () => {
    expect(parseNumber("1.234,56", ",")?.value).toBe(1234.56);
    expect(parseNumber("1,234.56", ".")?.value).toBe(1234.56);
    expect(parseNumber("1.234", ",")?.value).toBe(1234);
    expect(parseNumber("1.234", ".")?.value).toBe(1.234);
    expect(parseNumber("0,025", ".")?.value).toBe(0.025);
    expect(parseNumber("1'250.00", ".")?.value).toBe(1250);
  });

  it("vote once per document on the decimal mark", () => {
    expect(voteDecimalMark("Netto 1.200,00 MwSt 228,00 am 12.03.2024")).toBe(",");
    expect(voteDecimalMark("Net 1,200.00 VAT 228.00")).toBe(".");
  });

  it("are found with signs, brackets, currencies and percent", () => {
    expect(amounts("Total: -5.00")).toEqual([-5]);
    expect(amounts("(12.50) USD")).toEqual([-12.5]);
    expect(amounts("Total RM20.00")).toEqual([20]);
    expect(amounts("Net total:496.00")).toEqual([496]);
    expect(amounts("12 345,60 €", ",")).toEqual([12345.6]);
    expect(findNumbers("19 %", ".")[0]).toMatchObject({ value: 19, isPercent: true });
  });

  it("are none where thousands were cut off, and are known behind a misread sign", () => {
    expect(amounts("000 FC")).toEqual([]);
    expect(amounts("f105.84 E423.36")).toEqual([105.84, 423.36]);
  });

  it("are grouped by two above the thousands in India", () => {
    expect(amounts("1,31,370.00")).toEqual([131370]);
  });

  it("are in rand behind an R and in lira before TL", () => {
    expect(findCurrency("Total R 53,918.00")?.code).toBe("ZAR");
    expect(findCurrency("Genel Toplam: 38.390,00 TL")?.code).toBe("TRY");
  });

  it("are not seen in codes, times and telephone numbers", () => {
    expect(amounts("AB12C34")).toEqual([]);
    expect(amounts("12:45")).toEqual([]);
  });

  it("survive what recognition does to them", () => {
    expect(amounts("20 .00")).toEqual([20]);
    expect(amounts("2.60252 €", ",")).toEqual([2602.52]);
    expect(amounts("0.60252")).toEqual([0.60252]);
    expect(amounts("O.50")).toEqual([0.5]);
    expect(amounts("3.O0")).toEqual([3]);
    expect(amounts("4.968.00 EUR", ",")).toEqual([4968]);
    expect(amounts("1.234.567", ",")).toEqual([1234567]);
  });
});

describe("dates", () => {
  it("may begin with the year in words, as in Latvia and Lithuania", () => {
    expect(days("2026. gada 9. februāris")).toEqual(["2026-02-09"]);
    expect(days("2026 m. balandžio 2 d.")).toEqual(["2026-04-02"]);
  });

  it("are read in the notations of many languages", () => {
    for (const text of [
      "2024-03-05",
      "05.03.2024",
      "5 March 2024",
      "March 5, 2024",
      "5. März 2024",
      "5 mars 2024",
      "5 de marzo de 2024",
      "5 marzo 2024",
      "5 maart 2024",
      "5 de março de 2024",
      "5 marca 2024",
      "5. března 2024",
      "05-MAR-24",
    ]) {
      expect(days(text), text).toEqual(["2024-03-05"]);
    }
  });

  it("begin with a day whose month begins like an ordinal's ending", () => {
    expect(days("8 stycznia 2023 r.")).toEqual(["2023-01-08"]);
    expect(days("1st January 2023")).toEqual(["2023-01-01"]);
  });

  it("may put the year before the month's name", () => {
    expect(days("2024. május 3.")).toEqual(["2024-05-03"]);
  });

  it("that do not exist are none", () => {
    expect(days("30.02.2024")).toEqual([]);
    expect(days("2024-13-01")).toEqual([]);
  });

  it("follow the order of day and month that the document shows elsewhere", () => {
    expect(voteDateOrder("Date 03/04/2024, delivered 25/03/2024")).toEqual({ order: "dmy", isOpen: false });
    expect(voteDateOrder("Date 03/04/2024, delivered 03/25/2024")).toEqual({ order: "mdy", isOpen: false });
    expect(voteDateOrder("Austin, TX 78701  Date 03/04/2024")).toEqual({ order: "mdy", isOpen: false });
    expect(voteDateOrder("Edmonton, AB  GST 5%  Date 03/04/2024")).toEqual({ order: "mdy", isOpen: true });
    expect(voteDateOrder("Boise, Idaho 83702  Date 03/04/2024")).toEqual({ order: "mdy", isOpen: false });
    expect(voteDateOrder("Rechnung vom 03.04.2024")).toEqual({ order: "dmy", isOpen: false });
    expect(voteDateOrder("Date 03/04/2024, total with sales tax £2,107.40")).toEqual({ order: "dmy", isOpen: false });
    expect(voteDateOrder("Hull HU1 2PQ  Date 03/04/2024, sales tax 20%")).toEqual({ order: "dmy", isOpen: false });
  });

  it("with a time glued to them are still dates", () => {
    expect(days("23/03/20189:34:40AM")).toEqual(["2018-03-23"]);
  });
});

describe("check digits", () => {
  it("tell right IBANs from wrong ones, with blanks or without", () => {
    expect(findIbans("IBAN DE89 3704 0044 0532 0130 00 BIC X")[0]).toMatchObject({
      value: "DE89370400440532013000",
      isValid: true,
    });
    expect(findIbans("DE88370400440532013000")[0]?.isValid).toBe(false);
    expect(findIbans("ALV-nro FI20774740   IBAN FI21 1234 5600 0007 85   BIC OKOYFIHH")).toMatchObject([
      { value: "FI2112345600000785", isValid: true },
    ]);
  });

  it("tell right VAT numbers from wrong ones", () => {
    expect(findVatIds("USt-IdNr. DE136695976")[0]).toMatchObject({ value: "DE136695976", isValid: true });
    expect(findVatIds("DE123456789")[0]?.isValid).toBe(false);
    expect(findVatIds("SIRET 81234567800012 - TVA FR40303265045")[0]?.value).toBe("FR40303265045");
    expect(findVatIds("TVA : FR 40 303265045")[0]).toMatchObject({ value: "FR40303265045", isValid: true });
  });

  it("make a tax number of what an invoice prints without its country, and of nothing else", () => {
    expect(findTaxNumbers("NIP: 526-025-02-74")[0]?.value).toBe("5260250274");
    expect(findTaxNumbers("P. IVA 00743110157")[0]?.value).toBe("00743110157");
    expect(findTaxNumbers("CIF: B58378431")[0]?.value).toBe("B58378431");
    expect(findTaxNumbers("Contribuinte n.º 501 964 843")[0]?.value).toBe("501964843");
    expect(findTaxNumbers("ABN: 51 824 753 556")[0]?.value).toBe("51824753556");
    expect(findTaxNumbers("ABN 51 824 753 557")).toEqual([]);
    expect(findTaxNumbers("CNPJ 11.222.333/0001-81")[0]?.value).toBe("11.222.333/0001-81");
    expect(findTaxNumbers("CUIT 20-12345678-6")[0]?.value).toBe("20123456786");
    expect(findTaxNumbers("GSTIN: 27AAPFU0939F1ZV")[0]?.value).toBe("27AAPFU0939F1ZV");
    expect(findTaxNumbers("NIP: 526-025-02-75")).toEqual([]);
    expect(findTaxNumbers("CIF: B-58378431, NIF 54362315-K").map(({ value }) => value)).toEqual([
      "B58378431",
      "54362315K",
    ]);
    expect(findTaxNumbers("order 5260250274")).toEqual([]);
  });

  it("tell a telephone number from a tax number behind its word", () => {
    expect(failsCheck("ABN", "51 824 753 556")).toBe(false);
    expect(failsCheck("ABN", "0298765432")).toBe(true);
    expect(failsCheck("CNPJ", "11.222.333/0001-80")).toBe(true);
    expect(failsCheck("Tax no", "0298765432")).toBe(false);
    expect(failsCheck("NIF", "54362315K")).toBe(false);
    expect(failsCheck("NIF", "123456788")).toBe(true);
  });
});

it("the currency is the one whose sign stands there most", () => {
  expect(findCurrency("Total $ 5.00, $3.00 (approx. €4)")?.code).toBe("USD");
  expect(findCurrency("TOTAL RM 12.00")?.code).toBe("MYR");
  expect(findCurrency("00184 Roma RM")).toBeUndefined();
  expect(findCurrency("nothing")).toBeUndefined();
});

it.each([
  ["Total $20.00 ABN 51 824 753 556", "AUD"],
  ["Total $20.00, Toronto ON M5V 3L9", "CAD"],
  ["Total $20.00, Austin, TX 78701", "USD"],
])("%s is in %s", (text, code) => {
  expect(findCurrency(text)?.code).toBe(code);
});

it("crowns are of the country whose words stand beside them, and of none where no word does", () => {
  expect(findCrowns("Att betala: 884,74 kr")).toBe("SEK");
  expect(findCrowns("I alt 884,74 kr")).toBe("DKK");
  expect(findCrowns("Herav mva 176,95 kr 884,74")).toBe("NOK");
  expect(findCrowns("884,74 kr")).toBeUndefined();
});

it("a rate in brackets is not below nought, and euros are written out", () => {
  expect(amounts("VAT (20.00%)")).toEqual([20]);
  expect(findNumbers("1078 Euros", ",")[0]).toMatchObject({ value: 1078, hasCurrency: true });
});

it.each([
  "ESB58378431",
  "SE556012579001",
  "NL004495445B01",
  "CZ25123891",
  "GB123456782",
  "IE6388047V",
  "DK13585628",
  "FI20774740",
  "PL5260001246",
])("the check digits of %s are known to be right, and with another digit wrong", (number) => {
  const other = number.replace(/\d/, (digit) => String((Number(digit) + 1) % 10));
  expect([number, other].map((text) => findVatIds(text)[0]?.isValid)).toEqual([true, false]);
});
