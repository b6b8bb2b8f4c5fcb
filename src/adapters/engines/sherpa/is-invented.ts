import { deflateSync } from "node:zlib";

/** Text that compresses better than this repeats itself (Whisper's paper, section 4.5), where it is long enough to tell. */
const mostCompression = 2.4;
const tellingCharacters = 60;
/** The fastest speakers reach some 25 characters a second; what is far beyond was not said (a guess). */
const mostCharactersPerSecond = 45;
const spareCharacters = 40;

/** The shortest word takes about this long; without it there is nothing to write down (a guess). */
const leastSpeechMs = 100;

/** Recognisers that go astray hear words in noise, write the same ones again and again, or more than anybody can say. */
export function isInvented(text: string, speechMs: number): boolean {
  if (speechMs < leastSpeechMs) return true;
  if (text.length > spareCharacters + (mostCharactersPerSecond * speechMs) / 1000) return true;
  const bytes = Buffer.byteLength(text);
  return text.length >= tellingCharacters && bytes / deflateSync(text).length > mostCompression;
}
