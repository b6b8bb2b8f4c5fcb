import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { closeToOthers } from "./data-folder.ts";

it("a data folder that others can read is closed to them", () => {
  const folder = mkdtempSync(join(tmpdir(), "parlance-loose-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  closeToOthers(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});
