import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Playground } from "../../support/dashboard/playground.ts";
import { eventually, patience } from "../../support/eventually.ts";
import { invoicePdf } from "../../support/make-pdf.ts";

/** Documents and templates. */
export function documentsStories(play: Playground): void {
  it("shows a document's fields where they stand, takes corrections and says which checks hold", async () => {
    await play.ada.open(`${play.base}/extraction`);
    const drop = play.ada.page.locator("input[type=file]");
    await drop.setInputFiles({
      name: "broken.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.7 broken"),
    });
    await play.ada.page.getByRole("alert").waitFor(patience);

    await play.ada.press("Use a sample invoice");
    await play.answered();
    // Several requests at once share one key.
    expect(await play.ada.text()).not.toContain("had been revoked");
    await play.ada.page.getByRole("img", { name: "Page 1 of invoice.pdf" }).waitFor(patience);
    // From the page to the data, and back.
    await play.button("Show grand_total in the data").click();
    const fields = play.ada.page.getByRole("list", { name: "Fields" });
    await eventually(() => fields.locator("[aria-current=true]").innerText()).toMatch(/grand_total[\s\S]*388\.49/);
    await fields.getByRole("button", { name: /^invoice_number/ }).click();
    const box = play.ada.page.getByRole("button", { name: "Show invoice_number in the data" });
    await eventually(() => box.getAttribute("aria-pressed")).toBe("true");

    await play.button("Correct grand_total").click();
    await play.ada.fill("Value of grand_total", "400");
    await play.ada.press("Save");
    await play.ada.page.getByText("corrected", { exact: true }).waitFor(patience);
    await eventually(() => play.ada.page.getByRole("list", { name: "Checks" }).innerText()).toContain("Fails:");
    await eventually(() => play.shownCode("curl")).toContain("-X PATCH");
    expect(JSON.parse(await play.runShown("curl")).fields.grand_total).toMatchObject({ value: 400, corrected: true });
    expect(await play.runShown("TypeScript")).toMatch(/corrected: true/);
    const [download] = await Promise.all([
      play.ada.page.waitForEvent("download"),
      play.button("Download xlsx").click(),
    ]);
    expect(
      readFileSync(await download.path())
        .subarray(0, 2)
        .toString(),
    ).toBe("PK");
    await play.expectGoodLooks();
  });

  it("makes a template by drawing a box and picking a label, and tests it on other documents at once", async () => {
    await play.ada.open(`${play.base}/extraction`);
    await play.ada.press("Use a sample invoice");
    await play.answered();
    await play.ada.press("Make a template");
    const fields = play.ada.page.getByRole("list", { name: "Fields of the template" });
    await fields.getByText("388.49").waitFor(patience);
    const before = await fields.getByRole("listitem").count();

    await play.ada.press("Draw a box");
    await play.drawBox("Draw a box on page 1", [0.5, 0.11, 0.99, 0.145]);
    const drawn = fields.getByRole("listitem").nth(before);
    await drawn.getByText("A-73511").waitFor(patience);
    await drawn.getByLabel(/^Name of field/).fill("reference");
    await play.ada.press("Pick a label");
    await play.ada.page.getByRole("button", { name: /^Use “Invoice date.*as a label/i }).click();
    const picked = fields.getByRole("listitem").nth(before + 1);
    await picked.getByLabel(/^Type of/).selectOption("date");
    await picked.getByText("2024-05-19").waitFor(patience);

    // As many letters, so that the places in the file hold.
    const buffer = Buffer.from(invoicePdf.toString("latin1").replace("A-73511", "B-20011"), "latin1");
    writeFileSync(join(play.folder, "second.pdf"), buffer);
    await play.ada.page.locator("input[type=file][multiple]").setInputFiles([
      { name: "broken.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 broken") },
      { name: "second.pdf", mimeType: "application/pdf", buffer },
    ]);
    const table = play.ada.page.getByRole("region", { name: "What the template finds in other documents" });
    await table.getByText("B-20011").first().waitFor(patience);
    await table.getByRole("row", { name: /broken\.pdf.*(damaged|read)/ }).waitFor(patience);
    expect(await play.runShown("curl")).toContain("B-20011");
    await play.expectGoodLooks();

    await play.ada.fill("Name of the template", "Kestrel");
    await play.ada.press("Save template");
    await play.ada.page.getByRole("button", { name: "Show reference in the data" }).waitFor(patience);
    await play.ada.press("Change it");
    await play.button("Remove reference").click();
    await play.ada.press("Save template");
    await play.ada.page.getByRole("list", { name: "Fields", exact: true }).waitFor(patience);
    await eventually(() => play.ada.text()).not.toContain("reference");
    expect(play.ada.complaints).toEqual([]);
  });

  it("finds past extractions, shows their pages, runs them again and deletes them", async () => {
    await play.ada.open(`${play.base}/extraction`);
    const past = play.card("Past extractions");
    await past.getByLabel("Search extractions").fill("invoice.pdf");
    const rows = past.getByRole("row", { name: /invoice\.pdf/ });
    await rows.first().waitFor(patience);
    const count = await rows.count();
    await rows.first().getByRole("button", { name: "invoice.pdf" }).click();
    await play.ada.page.getByRole("img", { name: "Page 1 of invoice.pdf" }).waitFor(patience);
    await rows.first().getByRole("button", { name: "Run again" }).click();
    await eventually(() => rows.count()).toBe(count + 1);
    await play.ada.page.getByRole("img", { name: "Page 1 of invoice.pdf" }).waitFor(patience);
    await rows.first().getByRole("button", { name: "Delete" }).click();
    await play.ada.press("Delete document");
    await eventually(() => rows.count()).toBe(count);
    expect(play.ada.complaints).toEqual([]);
  });
}
