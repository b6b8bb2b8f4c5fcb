import { describe, expect, it } from "vitest";
import { safePath } from "./safe-path.ts";

describe("where to go after signing in", () => {
  it.each(["/", "/keys?tab=usage#top", "/workspaces/ws_1/usage"])("%s is a page of ours", (path) => {
    expect(safePath(path)).toBe(path);
  });

  it.each([
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "evil",
    "",
    null,
    undefined,
  ])("%s leads to the first page instead", (path) => {
    expect(safePath(path)).toBe("/");
  });
});
