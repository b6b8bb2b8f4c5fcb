export function joinInt16(parts: readonly Int16Array[]): Int16Array {
  if (parts.length === 1) return parts[0]!;
  const joined = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
