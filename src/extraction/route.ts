import { z } from "zod";

/** How every failure looks. */
export const problem = z.object({ error: z.object({ type: z.string(), message: z.string() }) });
const problemReplies = {
  400: problem,
  401: problem,
  403: problem,
  404: problem,
  409: problem,
  413: problem,
  415: problem,
  422: problem,
  429: problem,
  502: problem,
};

/** What a route says of itself; all of them ask for the same scope and fail in the same ways. */
export function route<Replies extends Readonly<Record<number, z.ZodType>>, Takes extends object>(
  summary: string,
  replies: Replies,
  takes: Takes = {} as Takes,
  form?: z.ZodObject,
) {
  return {
    config: { scope: "extract", ...(form ? { form } : {}) },
    schema: { summary, ...takes, response: { ...replies, ...problemReplies } },
  };
}

export const idParams = z.object({ id: z.string().max(100) });
/** What a DELETE answers. */
export const removed = z.object({ id: z.string(), deleted: z.literal(true) });
