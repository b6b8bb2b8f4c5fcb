import { Transform } from "node:stream";
import { Problem } from "../errors.ts";

/** Marks a body beyond the edge's limit, also one that outgrew it while it was being read, so that it gets the edge's answer. */
export class EdgeLimitError extends Problem {
  constructor(limit: number) {
    super("too_large", `Request body over the limit of ${limit / 1e6} MB.`);
  }
}

/** Breaks off a body of undeclared length when it outgrows the edge. */
export function limitBytes(limit: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > limit) done(new EdgeLimitError(limit));
      else done(null, chunk);
    },
  });
}
