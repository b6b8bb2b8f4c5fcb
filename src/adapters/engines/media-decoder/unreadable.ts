import { Problem } from "../../../platform/errors.ts";

/** The one answer to audio that cannot be read, with the reason. */
export function unreadable(reason: string, cause?: unknown): Problem {
  return new Problem(
    "unprocessable_audio",
    `The audio could not be read: ${reason}.`,
    cause === undefined ? {} : { cause },
  );
}
