import type { PDFDocumentLoadingTask } from "pdfjs-dist";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";

/** Pixels that a page is drawn with; sharp at the widest column. */
const drawnWidth = 1400;
/** Documents may have more; these are enough to see what happened. */
const mostPages = 10;
/** How the pictures that browsers show begin: PNG, JPEG, GIF, WebP. A stored document has lost its type. */
const pictures = /^(?:.PNG\r\n|\xff\xd8\xff|GIF8|RIFF....WEBP)/s;

/** Every page as a picture. */
export async function drawPages(file: File): Promise<string[]> {
  const head = new TextDecoder("latin1").decode(await file.slice(0, 1024).arrayBuffer());
  if (!head.includes("%PDF-")) {
    if (!pictures.test(head))
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
