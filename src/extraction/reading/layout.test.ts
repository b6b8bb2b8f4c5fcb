import { describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import type { TextLine } from "../../ports/document-reader.ts";
import { layOut } from "./layout.ts";

/** Runs of text that the file placed one by one, in typewriter print: every letter is 0.01 wide. */
function typewriter(...runs: (readonly [left: number, text: string])[]): string[] {
  const lines = runs.map(([left, text]): TextLine => {
    const box = [left, 0.1, left + text.length * 0.01, 0.112] as const;
    return { text, box: [...box], words: [{ text, box: [...box] }], confidence: 1, source: "text" };
  });
  const { segments } = layOut({ pages: [{ number: 1, width: 600, height: 800, lines, rulings: [] }] });
  return segments.map((segment) => segment.text);
}

describe("a row in typewriter print", () => {
  it("joins words that are one blank apart", () => {
    expect(typewriter([0.1, "Pine Ridge"], [0.21, "Dental"])).toEqual(["Pine Ridge Dental"]);
    expect(typewriter([0.1, "Denver, CO"], [0.21, "80202"])).toEqual(["Denver, CO 80202"]);
  });

  it("keeps columns apart, and an amount from what it is for", () => {
    expect(typewriter([0.1, "Total"], [0.18, "net"])).toEqual(["Total", "net"]);
    expect(typewriter([0.1, "Total"], [0.16, "9.50"])).toEqual(["Total", "9.50"]);
  });

  it("puts the groups of an IBAN together", () => {
    expect(typewriter([0.1, "IBAN DE89"], [0.2, "3704"], [0.25, "0044"], [0.3, "0532"], [0.35, "0130"])).toEqual([
      "IBAN DE89 3704 0044 0532 0130",
    ]);
  });
});

it("a date, a rate and a postcode that the file cut in two are whole again", () => {
  expect(typewriter([0.1, "23"], [0.125, "%"])).toEqual(["23 %"]);
  expect(typewriter([0.1, "18"], [0.125, "de fevereiro de 2025"])).toEqual(["18 de fevereiro de 2025"]);
  expect(typewriter([0.1, "111"], [0.135, "51 Stockholm"])).toEqual(["111 51 Stockholm"]);
});

it("a code that its narrow cell broke at a hyphen is whole again, and words that end in one stay", () => {
  const rows = (...lines: [number, number, string][]) => layOut(textPage(lines)).rows.map((row) => row.text);
  expect(rows([0.1, 0.1, "Number:"], [0.5, 0.1, "EUINPL25-"], [0.5, 0.114, "48213"], [0.1, 0.128, "Date"])).toEqual([
    "Number: EUINPL25-48213",
    "Date",
  ]);
  expect(rows([0.5, 0.1, "Self-"], [0.5, 0.114, "service"])).toEqual(["Self-", "service"]);
});

it("a letter that recognition read in both halves of a line is there once", () => {
  const half = (left: number, ...words: string[]): TextLine => {
    let at = left;
    const boxes = words.map((text) => {
      const box: [number, number, number, number] = [at, 0.1, at + text.length * 0.01, 0.112];
      at = box[2] + 0.01;
      return { text, box };
    });
    return { text: words.join(" "), box: [left, 0.1, at - 0.01, 0.112], words: boxes, confidence: 0.9, source: "ocr" };
  };
  const lines = [half(0.1, "Kestrel", "H"), half(0.18, "Hardware", "Ltd")];
  const { rows } = layOut({ pages: [{ number: 1, width: 600, height: 800, lines, rulings: [] }] });
  expect(rows.map(({ text }) => text)).toEqual(["Kestrel Hardware Ltd"]);
});

it("an amount in forints or crowns that recognition cut at the blank of its thousands is whole", () => {
  const read = (...runs: (readonly [left: number, text: string])[]): string[] => {
    const lines = runs.map(([left, text]): TextLine => {
      const box = [left, 0.1, left + text.length * 0.01, 0.112] as const;
      return { text, box: [...box], words: [{ text, box: [...box] }], confidence: 0.97, source: "ocr" };
    });
    return layOut({ pages: [{ number: 1, width: 600, height: 800, lines, rulings: [] }] }).segments.map(
      (segment) => segment.text,
    );
  };
  expect(read([0.1, "Celkem"], [0.6, "12"], [0.634, "990"], [0.68, "Ft"])).toEqual(["Celkem", "12 990", "Ft"]);
  expect(read([0.6, "1"], [0.624, "960 Kč"])).toEqual(["1 960 Kč"]);
  expect(read([0.6, "2"], [0.624, "960"])).toEqual(["2", "960"]);
});
