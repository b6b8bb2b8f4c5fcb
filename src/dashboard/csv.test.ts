import { expect, it } from "vitest";
import { writeCsv } from "./csv.ts";

it("a CSV file quotes what must be quoted and runs nothing in a spreadsheet", () => {
  const rows = [
    ['a "b", c', 1, null],
    ["=cmd()", -2.5, "-0.25"],
    ["@x", 0, "line\nbreak"],
  ];
  expect(writeCsv(["name", "count", "note"], rows)).toBe(
    'name,count,note\r\n"a ""b"", c",1,\r\n\'=cmd(),-2.5,-0.25\r\n\'@x,0,"line\nbreak"\r\n',
  );
});
