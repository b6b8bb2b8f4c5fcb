import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../platform/package-root.ts";
import { helpText } from "./help-text.ts";

it("bin/help.txt is what the program says (npm run --silent help-text > bin/help.txt)", () => {
  expect(readFileSync(join(packageRoot(), "bin", "help.txt"), "utf8")).toBe(helpText());
});
