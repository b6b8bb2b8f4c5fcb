import { protect, splitProtected } from "./protect.ts";

/** Runs a stream of Apertium's through a chain of modes. */
export type RunChain = (stream: string) => Promise<string>;

/** Translates line by line, so that line breaks stay where they are, and brings back what must not change. */
export async function translateText(text: string, run: RunChain): Promise<string> {
  // Zero bytes end a text in the stream, and other control characters mean nothing to a translator.
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "");
  const lines = clean.split(/(\r\n|\n|\r)/);
  const done = await Promise.all(lines.map((line) => (/\p{L}/u.test(line) ? translateLine(line, run) : line)));
  return done.join("");
}

async function translateLine(line: string, run: RunChain): Promise<string> {
  const [, before, middle, after] = /^(\s*)(.*?)(\s*)$/su.exec(line)!;
  const whole = await translatePiece(middle!, run);
  if (whole !== undefined) return `${before}${whole}${after}`;
  // A rule moved or lost something, so the words around what must survive are translated without it.
  const parts = await Promise.all(
    splitProtected(middle!).map(async ({ text, isKept }) => {
      if (isKept || !/\p{L}/u.test(text)) return text;
      const [, lead, words, tail] = /^(\s*)(.*?)(\s*)$/su.exec(text)!;
      return `${lead}${(await translatePiece(words!, run)) ?? words}${tail}`;
    }),
  );
  return `${before}${parts.join("")}${after}`;
}

async function translatePiece(text: string, run: RunChain): Promise<string | undefined> {
  const { stream, restore } = protect(text);
  return restore(await run(stream))?.trim();
}
