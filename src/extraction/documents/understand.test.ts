import { expect, it } from "vitest";
import { drawInvoice, languages, sampleInvoice } from "../../../tests/support/made-up-invoice.ts";
import { understandAside } from "./understand-aside.ts";

it("a long document is understood in a thread, with the same result", async () => {
  const short = drawInvoice(sampleInvoice, languages.us!, "beside");
  const blank = { width: 595, height: 842, lines: [], rulings: [] };
  const long = {
    ...short,
    pages: [...short.pages, ...Array.from({ length: 9 }, (_, index) => ({ ...blank, number: index + 2 }))],
  };
  const signal = new AbortController().signal;
  const [aside, inline] = await Promise.all([
    understandAside({ document: long }, signal),
    understandAside({ document: short }, signal),
  ]);
  expect(aside.data).toEqual(inline.data);
});

it("is given up when nobody wants it any more", async () => {
  const short = drawInvoice(sampleInvoice, languages.us!, "beside");
  const long = {
    ...short,
    pages: Array.from({ length: 9 }, (_, index) => ({ ...short.pages[0]!, number: index + 1 })),
  };
  const abort = new AbortController();
  const understanding = understandAside({ document: long }, abort.signal);
  abort.abort(new Error("gone"));
  await expect(understanding).rejects.toThrow("gone");
});
