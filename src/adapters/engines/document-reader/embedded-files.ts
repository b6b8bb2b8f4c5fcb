import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { EmbeddedFile } from "../../../ports/document-reader.ts";
import { decodeText } from "./sniff.ts";

const maxFiles = 16;
const maxBytes = 5 * 1024 * 1024;

/** Takes the XML files out of a PDF, such as the invoice inside a Factur-X or ZUGFeRD document. */
export async function readEmbeddedFiles(bytes: Uint8Array): Promise<EmbeddedFile[]> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    stopAtErrors: false,
  });
  try {
    const pdf = await task.promise;
    const attachments = ((await pdf.getAttachments()) ?? {}) as Record<
      string,
      { filename?: string; content?: Uint8Array }
    >;
    const files: EmbeddedFile[] = [];
    for (const [key, attachment] of Object.entries(attachments).slice(0, maxFiles)) {
      const name = attachment.filename ?? key;
      const content = attachment.content;
      if (!content || content.length > maxBytes) continue;
      const text = decodeText(content);
      if (text && /^\s*(\ufeff)?\s*</.test(text)) files.push({ name, text });
    }
    return files;
  } catch {
    // The page itself was read already; a damaged attachment only loses the shortcut.
    return [];
  } finally {
    await task.destroy();
  }
}
