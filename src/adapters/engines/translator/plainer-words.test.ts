import { expect, it } from "vitest";
import { writePlainerWords } from "./plainer-words.ts";

it.each([
  ["Please pay the invoices by wire transfer.", "Please pay the bills by bank transfer."],
  ["The invoice's date", "The invoice's date"],
  ["My coworkers sent an attachment.", "My colleagues sent an attached file."],
  ["Invoice 12", "Invoice 12"],
  ["invoice_12 of e-invoice", "invoice_12 of e-invoice"],
])("%s", (written, read) => {
  expect(writePlainerWords(written, "en")).toBe(read);
  expect(writePlainerWords(written, "fr")).toBe(written);
});
