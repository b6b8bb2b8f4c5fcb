import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { invoicePdf, makePdf } from "../../../../tests/support/make-pdf.ts";
import { silentLog } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import { documentReaderContract } from "../../../ports/document-reader.contract.ts";
import { defaultReadLimits, openDocument } from "../../../ports/document-reader.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import { ppOcrFiles } from "../pp-ocr/pp-ocr.ts";
import { createDocumentReader } from "./document-reader.ts";
import { drawPdfPage } from "./read-pdf.ts";

const models = join(process.env.SVC_MODELS_DIR ?? join(homedir(), ".cache", "parlance", "models"), "pp-ocr-v4");
const hasModels = Object.values(ppOcrFiles).every((file) => existsSync(join(models, file)));
if (!hasModels)
  console.warn("The PP-OCR models are not here (./parlance models pull pp-ocr-v4): recognition is not tested.");

function create() {
  const reader = createEngineHost({
    name: "document-reader",
    module: siblingModule(import.meta.url, "reader-child"),
    settings: () => ({}),
    log: silentLog,
    retireAfterJobs: 1,
    memoryLimitMb: 1500,
  });
  const ocr = createEngineHost({
    name: "pp-ocr",
    module: siblingModule(import.meta.url, "../pp-ocr/ocr-child"),
    settings: () => ({ modelsDir: models }),
    log: silentLog,
    memoryLimitMb: 1800,
  });
  return {
    reader: createDocumentReader({ reader, ocr }),
    close: async () => {
      await Promise.all([reader.close(), ocr.close()]);
    },
  };
}

documentReaderContract("document-reader", create);

describe.skipIf(!hasModels)("pictures of text", () => {
  const { reader, close } = create();
  afterAll(close);
  const textsOf = async (bytes: Uint8Array): Promise<string> => {
    const request = { bytes, fileName: "scan", limits: defaultReadLimits, caller: "key_1" };
    const document = openDocument(await reader.read(request, new AbortController().signal));
    return document.pages.flatMap((page) => page.lines.map((line) => line.text)).join("\n");
  };
  const draw = async (): Promise<Buffer> => (await drawPdfPage(invoicePdf, 1, 120))!;

  const turns: [string, (picture: Buffer) => Promise<Buffer>][] = [
    ["tilted", (picture) => sharp(picture).rotate(2, { background: "#fff" }).png().toBuffer()],
    ["on their side", (picture) => sharp(picture).rotate(90).jpeg({ quality: 80 }).toBuffer()],
    ["upside down", (picture) => sharp(picture).rotate(180).webp().toBuffer()],
  ];
  for (const [name, turn] of turns) {
    it(`are read when they are ${name}`, async () => {
      const text = await textsOf(await turn(await draw()));
      expect(text).toContain("A-73511");
      expect(text).toContain("388.49");
      expect(text).toContain("Garden waste removal");
    });
  }

  it("of several pages in one TIFF are all read", async () => {
    const first = await sharp((await drawPdfPage(makePdf([[0.1, 0.1, "First page of two"]]), 1, 120))!)
      .resize(800)
      .png()
      .toBuffer();
    const second = await sharp((await drawPdfPage(makePdf([[0.1, 0.1, "Second page of two"]]), 1, 120))!)
      .resize(800)
      .png()
      .toBuffer();
    const tiff = await sharp([first, second], { join: { animated: true } })
      .tiff()
      .toBuffer();
    const text = await textsOf(tiff);
    expect(text).toContain("First page of two");
    expect(text).toContain("Second page of two");
  });
});
