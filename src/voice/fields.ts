import { z } from "zod";
import { fitCharacters } from "../platform/characters.ts";

/** Fields that several requests of the voice platform share. */

/** Text that people wrote, 1 to `most` characters as people count them, and not only blanks. */
export function writtenText(most: number) {
  return z
    .string()
    .refine((text) => text.trim() !== "", "must not be empty")
    .refine((text) => fitCharacters([text], most), `must have at most ${most} characters`)
    .meta({ description: `1 to ${most} characters.` });
}

/** Text that may be empty. */
export function shortText(most: number) {
  return z.string().refine((text) => fitCharacters([text], most), `must have at most ${most} characters`);
}

/** Text that is stored: without the zero bytes and halves of characters that a database refuses. */
export function storable(text: string): string {
  return text.replace(/[\uD800-\uDFFF]/gu, "\uFFFD").replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "");
}

export const speed = z.number().min(0.5).max(2).meta({ description: "0.5 to 2.0, without changing the pitch." });

export const ttlSeconds = z
  .number()
  .min(1)
  .max(600)
  .default(60)
  .meta({ description: "Seconds within which the token must be used; the stream itself may last longer." });

/** Recordings that people upload: 25 MB at most. */
export const uploadBytes = 25_000_000;

export const tokenUsage = z.object({
  input_tokens: z.int(),
  output_tokens: z.int(),
  cached_tokens: z
    .int()
    .nullable()
    .meta({ description: "Part of input_tokens served from a prefix cache; null when the model does not report it." }),
});

export const problem = z.object({ error: z.object({ type: z.string(), message: z.string() }) });

/** What every route of the voice platform can answer besides success. */
export const problemReplies = { 400: problem, 401: problem, 403: problem, 429: problem, 502: problem };
