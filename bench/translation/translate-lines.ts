import type { Translator } from "../../src/adapters/engines/translator/translator.ts";
import { ownCode } from "./lines.ts";

/** Lines of one length together, as many at once as requests may be. */
export async function translateLines(
  translator: Translator,
  lines: readonly string[],
  source: string,
  target: string,
): Promise<string[]> {
  const order = lines.map((_, index) => index).sort((a, b) => lines[a]!.length - lines[b]!.length);
  const translated: string[] = [];
  for (let start = 0; start < order.length; start += 32) {
    const part = order.slice(start, start + 32);
    const done = await Promise.all(
      part.map((index) => translator.run({ text: lines[index]!, source: ownCode(source), target: ownCode(target) })),
    );
    for (const [place, index] of part.entries()) translated[index] = done[place]!.text;
  }
  return translated;
}
