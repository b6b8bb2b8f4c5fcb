import { z } from "zod";

/** Lowest first. */
export const roles = ["member", "admin", "owner"] as const;
export const role = z.enum(roles);
export type Role = z.infer<typeof role>;

/** A moment as ISO 8601 in UTC. */
export const moment = z.string();
/** A day (UTC) as YYYY-MM-DD. */
export const day = z.iso.date();
/** An amount in USD as a decimal text, exact to the last digit: "4.215". */
export const dollars = z.string();
/** An amount as people type it. */
export const givenDollars = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,12})?$/, "must be an amount in USD such as 5.00")
  .max(24);

export const id = z.string().regex(/^\w{1,64}$/, "is not an id");
export const workspaceParams = z.object({ workspaceId: id });

/** Text for people: no control characters, no half of a surrogate pair, no space at either end. */
export function label(most: number) {
  return z
    .string()
    .max(most)
    .transform((text) => text.trim())
    .refine((text) => text.length > 0, "must not be empty")
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), "must not hold control characters");
}

export const emailAddress = z
  .string()
  .max(254)
  .transform((text) => text.trim().toLowerCase())
  .refine(
    (text) => /^[^\s@\p{Cc}\p{Cs}]{1,64}@[^\s@\p{Cc}\p{Cs}]+\.[^\s@.\p{Cc}\p{Cs}]{2,}$/u.test(text),
    "must be an e-mail address",
  );

export const shortestPassword = 10;
/** Longer ones cost more to read than they add. */
export const longestPassword = 256;
/** A password somebody has. */
export const password = z.string().min(1).max(longestPassword);
/** A password somebody chooses. The server also refuses the commonest ones and those that hold the name or the e-mail address. */
export const newPassword = z.string().min(shortestPassword).max(longestPassword);

/** The token at the end of a link: set-up, invitation, reset. */
export const linkToken = z.string().regex(/^\w{20,80}$/, "is not the token of a link");
/** Six digits of an authenticator, or a recovery code. */
export const secondFactorCode = z.string().max(20);

export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
};
export const nextCursor = z.string().nullable();
