import { describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import type { ReadDocument } from "../../ports/document-reader.ts";
import { extractFields } from "./extract-fields.ts";

const invoice = (number: string, seller: string, total: string): [number, number, string][] => [
  [0.08, 0.05, seller],
  [0.08, 0.065, "4 Mill Lane"],
  [0.08, 0.08, "Leeds LS1 4DY"],
  [0.6, 0.05, "INVOICE"],
  [0.6, 0.08, "Invoice number"],
  [0.8, 0.08, number],
  [0.6, 0.1, "Invoice date"],
  [0.8, 0.1, "12 Feb 2024"],
  [0.6, 0.5, "Total due"],
  [0.8, 0.5, total],
];
const join = (...pages: (readonly [number, number, string][])[]): ReadDocument => {
  const made = pages.map((lines) => textPage(lines).pages[0]!);
  return { ...textPage([]), pages: made.map((page, index) => ({ ...page, number: index + 1 })) };
};
const first = invoice("A-100", "Kestrel Freight Ltd", "£120.00");
const second = invoice("B-200", "Harbor Print LLP", "£75.50");

describe("several documents in one file", () => {
  it("are told apart, with their pages, and the first is the result itself", () => {
    const found = extractFields(join(first, second));
    expect(found.data).toMatchObject({ invoice_number: "A-100", grand_total: 120 });
    expect(found.documents).toMatchObject([
      {
        pages: [1, 1],
        document_type: "invoice",
        data: { invoice_number: "A-100", seller: { name: "Kestrel Freight Ltd" } },
      },
      {
        pages: [2, 2],
        document_type: "invoice",
        data: { invoice_number: "B-200", grand_total: 75.5, seller: { name: "Harbor Print LLP" } },
      },
    ]);
    expect(found.documents![1]!.fields.grand_total).toMatchObject({ page: 2 });
  });

  it("are told apart by numbers as short as a quantity", () => {
    const page = (number: string): [number, number, string][] => [
      [0.4, 0.05, "FACTURA"],
      [0.08, 0.1, `N°: ${number}`],
      [0.08, 0.3, "Diseño"],
      [0.5, 0.3, "04"],
      [0.8, 0.3, "250,00 €"],
      [0.5, 0.4, "Total factura"],
      [0.8, 0.4, "250,00 €"],
    ];
    expect(extractFields(join(page("01"), page("04"))).documents).toHaveLength(2);
    expect(extractFields(join(page("01"), page("01"))).documents).toBeUndefined();
  });

  it("are told apart by blank sheets between scans", () => {
    const found = extractFields(join(first, [], second));
    expect(found.documents?.map(({ pages }) => pages)).toEqual([
      [1, 1],
      [3, 3],
    ]);
  });

  it("are one when the second page goes on with the first", () => {
    const more: [number, number, string][] = [
      [0.08, 0.05, "Invoice A-100"],
      [0.8, 0.05, "Page 2 of 2"],
      [0.6, 0.5, "Total due"],
      [0.8, 0.5, "£120.00"],
    ];
    expect(extractFields(join(first, more)).documents).toBeUndefined();
  });

  it("of one seller with the same numbers of customer and order are told apart by their own", () => {
    const rows = (number: string): [number, number, string][] => [
      ...invoice(number, "Kestrel Freight Ltd", "£120.00"),
      [0.6, 0.12, "Customer no."],
      [0.8, 0.12, "C-77120"],
      [0.6, 0.14, "Order no."],
      [0.8, 0.14, "4500193377"],
      [0.08, 0.9, "Polna str. 9, Leeds"],
    ];
    const found = extractFields(join(rows("A-100"), rows("A-103")));
    expect(found.documents?.map(({ data }) => data.invoice_number)).toEqual(["A-100", "A-103"]);
  });

  it("without any number are told apart by a title and a total on each page", () => {
    const slip = (total: string): [number, number, string][] => [
      [0.08, 0.05, "Harbor Print LLP"],
      [0.6, 0.05, "INVOICE"],
      [0.6, 0.5, "Total due"],
      [0.8, 0.5, total],
    ];
    expect(extractFields(join(slip("£12.00"), slip("£15.00"))).documents).toHaveLength(2);
  });

  it("are two where a delivery note follows on its order", () => {
    const order: [number, number, string][] = [
      [0.08, 0.05, "PURCHASE ORDER"],
      [0.6, 0.08, "Order date"],
      [0.8, 0.08, "12 Feb 2024"],
    ];
    const note: [number, number, string][] = [
      [0.08, 0.05, "DELIVERY NOTE"],
      [0.6, 0.08, "Delivery date"],
      [0.8, 0.08, "14 Feb 2024"],
    ];
    expect(extractFields(join(order, note)).documents?.map(({ document_type }) => document_type)).toEqual([
      "purchase_order",
      "delivery_note",
    ]);
  });

  it("are one with the terms behind it, whatever these call their parts", () => {
    const terms: [number, number, string][] = [
      [0.08, 0.05, "Terms and Conditions"],
      [0.08, 0.1, "1. Invoice"],
      [0.08, 0.12, "The invoice 4711 is payable within 30 days of its date."],
      [0.08, 0.2, "2. Offer"],
      [0.08, 0.22, "An offer is valid for 14 days."],
    ];
    expect(extractFields(join(first, terms)).documents).toBeUndefined();
  });

  it("are one where a page refers to another document that the first names, too", () => {
    const refund: [number, number, string][] = [
      [0.08, 0.05, "Kestrel Freight Ltd"],
      [0.6, 0.05, "CREDIT NOTE CN-7"],
      [0.6, 0.08, "Invoice number"],
      [0.8, 0.08, "A-100"],
    ];
    const more: [number, number, string][] = [
      [0.6, 0.05, "Invoice number"],
      [0.8, 0.05, "A-100"],
      [0.6, 0.5, "Total due"],
      [0.8, 0.5, "£120.00"],
    ];
    expect(extractFields(join(refund, more)).documents).toBeUndefined();
  });

  it("that came with a message are its attachments; the text around them is nobody's seller", () => {
    const cover: [number, number, string][] = [
      [0.08, 0.05, "Dear colleague,"],
      [0.08, 0.08, "please find the attached invoices."],
      [0.08, 0.12, "Kind regards"],
      [0.08, 0.14, "Forwarding Desk Ltd"],
    ];
    const mail = join(cover, first, second);
    const pages = mail.pages.map((page, index) => ({ ...page, file: index }));
    const found = extractFields({ ...mail, format: "eml", pages });
    expect(found.data).toMatchObject({ invoice_number: "A-100", seller: { name: "Kestrel Freight Ltd" } });
    expect(found.documents?.map(({ pages: range }) => range)).toEqual([
      [2, 2],
      [3, 3],
    ]);
  });
});
