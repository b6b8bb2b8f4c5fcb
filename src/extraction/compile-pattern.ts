import { RE2JS } from "re2js";
import { Problem } from "../platform/errors.ts";

/** Patterns run on an engine whose time grows with the text only, whatever the pattern. */
export function compilePattern(pattern: string, fieldName: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "it cannot be read";
    throw new Problem(
      "invalid_request",
      `The pattern of "${fieldName}" is not valid: ${reason}. Look-around and back-references are not available.`,
      { cause },
    );
  }
}
