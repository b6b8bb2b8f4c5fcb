import { isObject, type Json } from "../json.ts";

/** Little-endian 32-bit floats, as OpenAI's clients ask for them by default. They take whatever comes for that, so an upstream
 *  that ignores the wish would give them nonsense. Undefined when there is nothing to change. */
export function toBase64Vectors(body: Json): Json | undefined {
  if (!Array.isArray(body.data) || !body.data.some((entry) => isObject(entry) && Array.isArray(entry.embedding))) {
    return undefined;
  }
  const data = body.data.map((entry: unknown) =>
    isObject(entry) && Array.isArray(entry.embedding) ? { ...entry, embedding: toBase64(entry.embedding) } : entry,
  );
  return { ...body, data };
}

export function toBase64(vector: readonly number[] | Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (let index = 0; index < vector.length; index++) bytes.writeFloatLE(Number(vector[index]), index * 4);
  return bytes.toString("base64");
}
