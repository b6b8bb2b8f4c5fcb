import { z } from "zod";

/** What the names of this process's own models begin with. */
export const localPrefix = "local/";

/** Longer than any there is; kinds of requests are remembered by it. */
export const longestModel = 500;

/** Requests go upstream as they came, so a schema names only what the gateway itself must know and lets the rest pass. */
export const model = z
  .string()
  .min(1)
  .max(longestModel)
  // The database takes neither, and one such name would keep every charge beside it from being written.
  .refine((name) => !/[\p{Cc}\p{Cs}]/u.test(name), "must not have control characters or halves of characters in it")
  .meta({ description: "<provider>/<model>, as listed by GET /models." });

export const problem = z.object({
  error: z.object({ message: z.string(), type: z.string(), param: z.null(), code: z.int() }),
});

export const problemReplies = {
  400: problem,
  401: problem,
  402: problem,
  403: problem,
  404: problem,
  429: problem,
  503: problem,
};
