import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import type { TextLine, Word } from "../../src/ports/document-reader.ts";
import type { Recogniser } from "./read-set.ts";

const run = promisify(execFile);

/** The peer: plain tesseract as Debian ships it, or undefined when it is not installed. */
export function findTesseract(): (Recogniser & { cpuSeconds(): number }) | undefined {
  try {
    execFileSync("tesseract", ["--version"], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  let seconds = 0;
  return {
    name: "tesseract",
    cpuSeconds: () => seconds,
    read: async (picture) => {
      const folder = mkdtempSync(join(tmpdir(), "bench-tesseract-"));
      try {
        const file = join(folder, "page.png");
        writeFileSync(
          file,
          await sharp(picture.data, { raw: { width: picture.width, height: picture.height, channels: 3 } })
            .png()
            .toBuffer(),
        );
        const started = performance.now();
        const { stdout } = await run("tesseract", [file, "-", "--psm", "6", "tsv"], {
          maxBuffer: 64e6,
          env: { ...process.env, OMP_THREAD_LIMIT: "1" },
        });
        seconds += (performance.now() - started) / 1000;
        return { lines: readTsv(stdout, picture.width, picture.height), width: picture.width, height: picture.height };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Words of one line that stand close together are one run of text, as our detector gives them. */
function readTsv(tsv: string, width: number, height: number): TextLine[] {
  const lines: TextLine[] = [];
  let words: (Word & { confidence: number; line: string })[] = [];
  const flush = (): void => {
    if (words.length === 0) return;
    const box = [
      words[0]!.box[0],
      Math.min(...words.map((word) => word.box[1])),
      words.at(-1)!.box[2],
      Math.max(...words.map((word) => word.box[3])),
    ] as const;
    lines.push({
      text: words.map((word) => word.text).join(" "),
      box,
      words: words.map(({ text, box: own }) => ({ text, box: own })),
      confidence: words.reduce((sum, word) => sum + word.confidence, 0) / words.length,
      source: "ocr",
    });
    words = [];
  };
  for (const row of tsv.split("\n").slice(1)) {
    const cells = row.split("\t");
    if (cells[0] !== "5" || !cells[11]?.trim()) continue;
    const [left, top, wide, high] = cells.slice(6, 10).map(Number) as [number, number, number, number];
    const word = {
      text: cells[11].trim(),
      confidence: Number(cells[10]) / 100,
      line: cells.slice(1, 5).join("."),
      box: [left / width, top / height, (left + wide) / width, (top + high) / height] as const,
    };
    const last = words.at(-1);
    const gap = last ? (word.box[0] - last.box[2]) * width : 0;
    if (last && (last.line !== word.line || gap > high * 1.4)) flush();
    words.push(word);
  }
  flush();
  return lines;
}
