import { z } from "zod";

/** Who may call a route. The server enforces it by this word, and a test asks every route as everybody. */
export type Access =
  /** Nobody has to be signed in. */
  | "public"
  /** Whoever is signed in. */
  | "session"
  /** Members of the workspace in the path, from this role up. For everybody else the workspace does not exist (404). */
  | "member"
  | "admin"
  | "owner"
  /** The owner of the installation. */
  | "installation";

export interface RouteContract {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/dashboard/api`, with `:name` for what is in `params`. */
  readonly path: string;
  readonly access: Access;
  /** `json` unless it says something else; then `reply` is the text, the bytes, or one event of the stream. */
  readonly format?: "csv" | "audio" | "events";
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly reply: z.ZodType;
}

/** Where all of them stand. */
export const apiBase = "/dashboard/api";

export const nothing = z.object({});

/** What every refusal looks like. */
export const refusal = z.object({
  error: z.object({
    /** See `errorCodes`. */
    code: z.string(),
    /** For people, ready to be shown. */
    message: z.string(),
    /** The field of the form that it is about. */
    field: z.string().optional(),
    retryAfterSeconds: z.number().optional(),
  }),
});

export type Refusal = z.infer<typeof refusal>;

/** Codes that pages treat specially:
 *  `unauthorized` (401, sign in), `wrong_credentials` (401), `wrong_code` (401, second factor), `forbidden` (403, the role is too low),
 *  `foreign_origin` (403), `not_found` (404), `conflict` (409), `sign_in_first` (409, an invitation for an existing account),
 *  `last_owner` (409), `keys_undecided` (409, say `keys`), `link_expired` (404: set-up, invitation or reset), `invalid_request` (400, with `field`), `rate_limited` (429). */
export type ErrorCode =
  | "unauthorized"
  | "wrong_credentials"
  | "wrong_code"
  | "forbidden"
  | "foreign_origin"
  | "not_found"
  | "conflict"
  | "sign_in_first"
  | "last_owner"
  | "keys_undecided"
  | "link_expired"
  | "invalid_request"
  | "rate_limited";
