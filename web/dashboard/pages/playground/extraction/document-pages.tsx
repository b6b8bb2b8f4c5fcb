import type { PDFDocumentLoadingTask } from "pdfjs-dist";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { useEffect, useRef, useState } from "react";
import { Notice, Skeleton } from "../../../components/states.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { type Field, toneOf } from "./extraction.ts";

/** Pixels that a page is drawn with; sharp at the widest column. */
const drawnWidth = 1400;
/** Documents may have more; these are enough to see what happened. */
const mostPages = 10;

const boxTones = {
  good: "border-good bg-good/10",
  warn: "border-warn bg-warn/15",
  bad: "border-bad bg-bad/15",
};

interface DocumentPagesProps {
  file: File;
  fields: Record<string, Field>;
  chosen: string | undefined;
  onChoose(name: string): void;
}

/** The pages of a document with every field in its place. */
export function DocumentPages({ file, fields, chosen, onChoose }: DocumentPagesProps) {
  const [pages, setPages] = useState<string[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isGone = false;
    let made: string[] = [];
    setPages(undefined);
    setProblem(undefined);
    draw(file)
      .then((urls) => {
        made = urls;
        if (isGone) for (const url of urls) URL.revokeObjectURL(url);
        else setPages(urls);
      })
      .catch((error: Error) => !isGone && setProblem(error.message));
    return () => {
      isGone = true;
      for (const url of made) URL.revokeObjectURL(url);
    };
  }, [file]);
  if (problem) return <Notice>{problem}</Notice>;
  if (!pages) return <Skeleton className="aspect-3/4 w-full" />;
  return (
    <ol className="grid gap-4">
      {pages.map((url, index) => (
        <li key={url} className="relative overflow-hidden rounded-lg border bg-white">
          <img
            src={url}
            alt={`Page ${index + 1} of ${file.name}`}
            className="w-full"
            onError={() => setProblem("Browsers cannot show this kind of picture. The fields stand beside it.")}
          />
          {Object.entries(fields).map(([name, field]) =>
            field.box && field.page === index + 1 ? (
              <BoxButton key={name} name={name} field={field} isChosen={name === chosen} onChoose={onChoose} />
            ) : null,
          )}
        </li>
      ))}
    </ol>
  );
}

function BoxButton({
  name,
  field,
  isChosen,
  onChoose,
}: {
  name: string;
  field: Field;
  isChosen: boolean;
  onChoose(name: string): void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isChosen) button.current?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }, [isChosen]);
  const [left, top, right, bottom] = field.box!;
  const percent = (value: number) => `${value * 100}%`;
  return (
    <button
      ref={button}
      type="button"
      title={`${name}: ${String(field.value)}`}
      aria-label={`Show ${name} in the data`}
      aria-pressed={isChosen}
      onClick={() => onChoose(name)}
      className={classNames(
        "absolute rounded-sm border",
        boxTones[toneOf(field.confidence)],
        isChosen && "outline-2 outline-offset-2 outline-accent",
      )}
      // A little larger than the words, so that they can still be read.
      style={{
        left: `calc(${percent(left)} - 3px)`,
        top: `calc(${percent(top)} - 3px)`,
        width: `calc(${percent(right - left)} + 6px)`,
        height: `calc(${percent(bottom - top)} + 6px)`,
      }}
    />
  );
}

/** Every page as a picture. */
async function draw(file: File): Promise<string[]> {
  const head = new TextDecoder("latin1").decode(await file.slice(0, 1024).arrayBuffer());
  if (!head.includes("%PDF-")) {
    if (!/^image\/(png|jpeg|webp|gif)/.test(file.type))
      throw new Error("This kind of document has no pages to show. The fields stand beside it.");
    return [URL.createObjectURL(file)];
  }
  const pdfjs = await import("pdfjs-dist");
  pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;
  const task: PDFDocumentLoadingTask = pdfjs.getDocument({
    data: new Uint8Array(await file.arrayBuffer()),
    // The Content-Security-Policy allows no WebAssembly; the decoders written in JavaScript do.
    useWasm: false,
  });
  try {
    const pdf = await task.promise;
    const urls: string[] = [];
    for (let number = 1; number <= Math.min(pdf.numPages, mostPages); number++) {
      const page = await pdf.getPage(number);
      const scale = drawnWidth / page.getViewport({ scale: 1 }).width;
      const viewport = page.getViewport({ scale });
      const canvas = document.createElement("canvas");
      canvas.width = viewport.width;
      canvas.height = viewport.height;
      await page.render({ canvas, viewport }).promise;
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
      urls.push(URL.createObjectURL(blob!));
    }
    return urls;
  } finally {
    await task.destroy();
  }
}
