import { zipSync } from "fflate";
import { expect, it } from "vitest";
import { openZip } from "./zip.ts";

const limits = { maxInflatedBytes: 1000, maxZipEntries: 10 };

it("parts of one name are parts of their own", async () => {
  const twice = Buffer.from(zipSync({ "a/b.txt": Buffer.from("one"), "a/c.txt": Buffer.from("two") }));
  for (let at = twice.indexOf("a/c.txt"); at >= 0; at = twice.indexOf("a/c.txt", at)) twice.write("a/b.txt", at);
  const zip = await openZip(twice, limits);
  expect(zip.names).toEqual(["a/b.txt", "a/b (2).txt"]);
  expect(String(await zip.read("a/b.txt"))).toBe("one");
  expect(String(await zip.read("a/b (2).txt"))).toBe("two");
  zip.close();
});
