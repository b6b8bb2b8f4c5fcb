/** What a bzip2 stream is made of (bzip2 1.0: 48-bit marks, Huffman codes of up to 20 bits, runs after four equal bytes). */
const BLOCK_MARK = 0x314159265359;
const END_MARK = 0x177245385090;
const LONGEST_CODE = 20;
const QUICK_BITS = 11;
const GROUP_SYMBOLS = 50;
const OUTPUT_BYTES = 64 * 1024;

/** Gives what was packed, some kilobytes at a time, so that whoever reads can stop. `read` gives the next packed bytes, or nothing
 *  at the end. Throws for what is not bzip2 or is damaged. */
export function* bunzip2(read: () => Uint8Array | undefined): Generator<Buffer> {
  const bits = new Bits(read);
  do {
    if (bits.take(16) !== 0x425a || bits.take(8) !== 0x68) throw new Error("not bzip2");
    const size = (bits.take(8) - 0x30) * 100_000;
    if (size < 100_000 || size > 900_000) throw new Error("damaged: block size");
    const block = new Uint32Array(size);
    for (;;) {
      const mark = bits.take(24) * 2 ** 24 + bits.take(24);
      if (mark === END_MARK) break;
      if (mark !== BLOCK_MARK) throw new Error("damaged: no block");
      bits.skip(32);
      if (bits.take(1) === 1) throw new Error("damaged: randomised");
      const origin = bits.take(24);
      const length = readBlock(bits, block);
      if (origin >= length) throw new Error("damaged: origin");
      yield* unwind(block, length, origin);
    }
    bits.skip(32);
    bits.align();
    // Several streams may follow each other.
  } while (!bits.isAtEnd());
}

class Bits {
  readonly #read: () => Uint8Array | undefined;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(read: () => Uint8Array | undefined) {
    this.#read = read;
  }

  /** Up to 24 at once. */
  take(count: number): number {
    while (this.#count < count) {
      if (this.#at === this.#bytes.length && !this.#more()) throw new Error("damaged: cut short");
      this.#held = ((this.#held << 8) | this.#bytes[this.#at]!) >>> 0;
      this.#at += 1;
      this.#count += 8;
    }
    this.#count -= count;
    const value = (this.#held >>> this.#count) & ((1 << count) - 1);
    this.#held &= (1 << this.#count) - 1;
    return value;
  }

  /** The next bits without taking them; fewer than that are padded with zeros. */
  peek(count: number): number {
    while (this.#count < count && (this.#at < this.#bytes.length || this.#more())) {
      this.#held = ((this.#held << 8) | this.#bytes[this.#at]!) >>> 0;
      this.#at += 1;
      this.#count += 8;
    }
    const missing = count - this.#count;
    return missing > 0 ? this.#held << missing : this.#held >>> -missing;
  }

  skip(count: number): void {
    for (let left = count; left > 0; left -= 16) this.take(Math.min(16, left));
  }

  align(): void {
    this.take(this.#count % 8);
  }

  isAtEnd(): boolean {
    return this.#count === 0 && this.#at === this.#bytes.length && !this.#more();
  }

  #more(): boolean {
    const next = this.#read();
    if (!next || next.length === 0) return false;
    this.#bytes = next;
    this.#at = 0;
    return true;
  }
}

interface Table {
  /** Smallest code of each length, its place among the symbols, and one more than its largest code. */
  readonly first: Int32Array;
  readonly place: Int32Array;
  readonly past: Int32Array;
  readonly symbols: Uint16Array;
  /** For each beginning of a code, its symbol and, in the low five bits, its length; 0 for longer codes. */
  readonly quick: Uint16Array;
}

/** Huffman, move-to-front and runs of zeros: fills the block's low bytes and says how many there are. */
function readBlock(bits: Bits, block: Uint32Array): number {
  const front = readAlphabet(bits);
  const end = front.length + 1;
  const tableCount = bits.take(3);
  const selectorCount = bits.take(15);
  if (tableCount < 2 || tableCount > 6 || selectorCount === 0) throw new Error("damaged: tables");
  const selectors = readSelectors(bits, tableCount, selectorCount);
  const tables = Array.from({ length: tableCount }, () => readTable(bits, front.length + 2));
  let length = 0;
  let run = 0;
  let weight = 1;
  for (let group = 0; ; group++) {
    const table = tables[selectors[group] ?? -1];
    if (!table) throw new Error("damaged: selectors");
    for (let i = 0; i < GROUP_SYMBOLS; i++) {
      const symbol = readSymbol(bits, table);
      if (symbol <= 1) {
        run += weight * (symbol + 1);
        weight *= 2;
        if (run > block.length) throw new Error("damaged: run");
        continue;
      }
      if (length + run + (symbol === end ? 0 : 1) > block.length) throw new Error("damaged: block");
      block.fill(front[0]!, length, length + run);
      length += run;
      [run, weight] = [0, 1];
      if (symbol === end) return length;
      const byte = front[symbol - 1]!;
      front.copyWithin(1, 0, symbol - 1);
      front[0] = byte;
      block[length++] = byte;
    }
  }
}

function readAlphabet(bits: Bits): Uint8Array {
  const ranges = bits.take(16);
  const used: number[] = [];
  for (let range = 0; range < 16; range++) {
    if (!(ranges & (0x8000 >> range))) continue;
    const members = bits.take(16);
    for (let i = 0; i < 16; i++) if (members & (0x8000 >> i)) used.push(range * 16 + i);
  }
  if (used.length === 0) throw new Error("damaged: alphabet");
  return Uint8Array.from(used);
}

function readSelectors(bits: Bits, tables: number, count: number): Uint8Array {
  const front = Array.from({ length: tables }, (_, index) => index);
  return Uint8Array.from({ length: count }, () => {
    let place = 0;
    while (bits.take(1) === 1) place += 1;
    if (place >= tables) throw new Error("damaged: selector");
    front.unshift(front.splice(place, 1)[0]!);
    return front[0]!;
  });
}

function readTable(bits: Bits, symbolCount: number): Table {
  const lengths = new Uint8Array(symbolCount);
  let length = bits.take(5);
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    while (bits.take(1) === 1) length += bits.take(1) === 1 ? -1 : 1;
    if (length < 1 || length > LONGEST_CODE) throw new Error("damaged: code length");
    lengths[symbol] = length;
  }
  const [first, place, past] = Array.from({ length: 3 }, () => new Int32Array(LONGEST_CODE + 1)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const symbols = new Uint16Array(symbolCount);
  let [code, filled] = [0, 0];
  for (let size = 1; size <= LONGEST_CODE; size++) {
    first[size] = code;
    place[size] = filled;
    for (let symbol = 0; symbol < symbolCount; symbol++) if (lengths[symbol] === size) symbols[filled++] = symbol;
    code += filled - place[size]!;
    past[size] = code;
    code *= 2;
  }
  const quick = new Uint16Array(1 << QUICK_BITS);
  for (let size = 1; size <= QUICK_BITS; size++) {
    for (let one = first[size]!; one < past[size]!; one++) {
      const from = one << (QUICK_BITS - size);
      const value = (symbols[place[size]! + one - first[size]!]! << 5) | size;
      quick.fill(value, from, from + (1 << (QUICK_BITS - size)));
    }
  }
  return { first, place, past, symbols, quick };
}

function readSymbol(bits: Bits, { first, place, past, symbols, quick }: Table): number {
  const known = quick[bits.peek(QUICK_BITS)]!;
  if (known !== 0) {
    bits.take(known & 31);
    return known >>> 5;
  }
  let code = 0;
  for (let size = 1; size <= LONGEST_CODE; size++) {
    code = code * 2 + bits.take(1);
    if (code < past[size]!) return symbols[place[size]! + code - first[size]!]!;
  }
  throw new Error("damaged: code");
}

/** Burrows and Wheeler backwards, and the runs that were shortened before them. */
function* unwind(block: Uint32Array, length: number, origin: number): Generator<Buffer> {
  const starts = new Uint32Array(257);
  for (let i = 0; i < length; i++) starts[(block[i]! & 255) + 1]!++;
  for (let byte = 0; byte < 256; byte++) starts[byte + 1]! += starts[byte]!;
  for (let i = 0; i < length; i++) block[starts[block[i]! & 255]!++]! |= i << 8;
  let at = block[origin]! >>> 8;
  let [last, equal, filled] = [-1, 0, 0];
  let output = Buffer.allocUnsafe(OUTPUT_BYTES);
  for (let i = 0; i < length; i++) {
    const entry = block[at]!;
    const byte = entry & 255;
    at = entry >>> 8;
    let times = 1;
    if (equal === 4) {
      [times, equal] = [byte, 0];
    } else {
      equal = byte === last ? equal + 1 : 1;
      last = byte;
    }
    for (; times > 0; times--) {
      output[filled++] = last;
      if (filled === OUTPUT_BYTES) {
        yield output;
        output = Buffer.allocUnsafe(OUTPUT_BYTES);
        filled = 0;
      }
    }
    if (equal === 0) last = -1;
  }
  if (filled > 0) yield output.subarray(0, filled);
}
