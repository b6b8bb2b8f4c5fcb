import { Problem } from "../../platform/errors.ts";
import { siblingModule, startThread } from "../../platform/sibling-module.ts";
import type { Extraction } from "../fields/extract-fields.ts";
import { type UnderstandRequest, understand } from "./understand.ts";

/** A page takes about ten milliseconds; beyond a few pages other requests would feel it. */
const pagesInline = 6;
const deadlineMs = 90_000;

/** Understands a document without holding up the server: long ones get a thread. */
export async function understandAside(request: UnderstandRequest, signal: AbortSignal): Promise<Extraction> {
  if (request.document.pages.length <= pagesInline) return understand(request);
  const thread = startThread(siblingModule(import.meta.url, "./understand-thread"), request);
  const stop = () => void thread.terminate();
  signal.addEventListener("abort", stop, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, deadlineMs);
  try {
    return await new Promise<Extraction>((resolve, reject) => {
      thread.once("message", resolve);
      thread.once("error", reject);
      thread.once("exit", () => {
        const late = isLate
          ? new Problem("unreadable_document", "The document holds more than can be sorted out.")
          : undefined;
        reject(late ?? signal.reason ?? new Error("the thread ended without an answer"));
      });
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    await thread.terminate();
  }
}
