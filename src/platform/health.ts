import { Problem } from "./errors.ts";
import type { Log } from "./log.ts";

/** Seconds after which a refused caller may try again; writers try every second. */
const retryAfterSeconds = 5;

/** What keeps this process from keeping its promises, such as a full disk. While there is any, requests that would have to be
 *  written down are refused, and `/readyz` says why; whoever reported it takes it back when it is over. */
export interface Health {
  /** Undefined when all is well again. */
  report(part: string, trouble: string | undefined): void;
  readonly troubles: Readonly<Record<string, string>>;
  /** What to answer callers with; undefined when all is well. */
  readonly refusal: Problem | undefined;
}

export function createHealth(log: Log): Health {
  const troubles = new Map<string, string>();
  return {
    report(part, trouble) {
      if (trouble === undefined) {
        if (troubles.delete(part)) log.info({ part }, "works again");
      } else {
        if (!troubles.has(part))
          log.error({ part, error: trouble }, "does not work; requests are refused until it does");
        troubles.set(part, trouble);
      }
    },
    get troubles() {
      return Object.fromEntries(troubles);
    },
    get refusal() {
      if (troubles.size === 0) return undefined;
      return new Problem("storage_down", "The server cannot write to its disk right now. Try again in a few seconds.", {
        retryAfterSeconds,
      });
    },
  };
}
