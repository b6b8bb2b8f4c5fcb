/** A GGUF file of a few hundred bytes, for tests. */
export function writeTestGguf(
  values: Readonly<Record<string, string | number | readonly string[]>>,
  { tensorBytes = 64, version = 3 }: { tensorBytes?: number; version?: number } = {},
): Buffer {
  const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
  const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
  const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
  const pairs = Object.entries(values).map(([name, value]) => {
    if (typeof value === "string") return Buffer.concat([text(name), u32(8), text(value)]);
    if (typeof value === "number") return Buffer.concat([text(name), u32(4), u32(value)]);
    return Buffer.concat([text(name), u32(9), u32(8), u64(value.length), ...value.map(text)]);
  });
  // One tensor of 16 numbers in 32 bits.
  const tensor = Buffer.concat([text("t"), u32(1), u64(16), u32(0), u64(0)]);
  const head = Buffer.concat([Buffer.from("GGUF"), u32(version), u64(1), u64(pairs.length), ...pairs, tensor]);
  return Buffer.concat([head, Buffer.alloc((32 - (head.length % 32)) % 32), Buffer.alloc(tensorBytes)]);
}
