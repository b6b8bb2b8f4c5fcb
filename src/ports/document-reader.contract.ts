import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invoicePdf } from "../../tests/support/make-pdf.ts";
import { type DocumentReader, defaultReadLimits, openDocument } from "./document-reader.ts";

/** What every document reader promises. */
export function documentReaderContract(
  name: string,
  create: () => { reader: DocumentReader; close(): Promise<void> },
): void {
  describe(`${name}, as a document reader`, () => {
    let reader: DocumentReader;
    let close: () => Promise<void>;
    const read = async (bytes: Uint8Array, signal = new AbortController().signal) =>
      openDocument(
        await reader.read({ bytes, fileName: "file.bin", limits: defaultReadLimits, caller: "key_1" }, signal),
      );

    beforeAll(() => {
      ({ reader, close } = create());
    });
    afterAll(() => close());

    it("gives lines with boxes inside the page", async () => {
      const document = await read(invoicePdf);
      expect(document).toMatchObject({ format: "pdf", pages: [{ number: 1 }] });
      const lines = document.pages[0]!.lines;
      expect(lines.map((line) => line.text)).toContain("A-73511");
      const edges = lines.flatMap((line) => [...line.box, ...line.words.flatMap((word) => word.box)]);
      expect(edges.every((edge) => edge >= 0 && edge <= 1)).toBe(true);
      expect(edges.every((edge) => edge === Number(edge.toFixed(4)))).toBe(true);
    });

    it("refuses what it does not read, and what is broken or empty", async () => {
      await expect(read(Buffer.from("<svg/>"))).rejects.toMatchObject({ kind: "unsupported_media_type" });
      await expect(read(Buffer.from("%PDF-1.7 noise"))).rejects.toMatchObject({ kind: "unreadable_document" });
      await expect(read(Buffer.alloc(0))).rejects.toMatchObject({ kind: "invalid_request" });
    });

    it("reads the next file after a bad one", async () => {
      await read(Buffer.from("%PDF-1.7 noise")).catch(() => {});
      expect((await read(invoicePdf)).pages[0]!.lines.length).toBeGreaterThan(20);
    });

    it("ends when its caller goes away", async () => {
      const abort = new AbortController();
      const reading = read(invoicePdf, abort.signal);
      abort.abort(new Error("gone"));
      await expect(reading).rejects.toThrow();
    });
  });
}
