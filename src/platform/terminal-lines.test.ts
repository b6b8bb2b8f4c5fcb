import { describe, expect, it } from "vitest";
import { createTerminalLines, prettyLine, progressBar } from "./terminal-lines.ts";

const plain = (text: string) => text.replace(/\u001b\[\d*m/g, "");
const line = (fields: object) => JSON.stringify({ level: 30, time: "2026-11-17T10:00:00.000Z", ...fields });

describe("a log line at a terminal", () => {
  it("of a request says how it went, where and how long it took", () => {
    const fields = { method: "POST", route: "/v1/speech", status: 200, durationMs: 812, key: "key_1", msg: "request" };
    expect(plain(prettyLine(line(fields)))).toMatch(/^\d\d:\d\d:\d\d 200 POST {3}\/v1\/speech 812 ms {2}key_1\n$/);
  });

  it("of anything else has its words first and the rest behind", () => {
    const warned = plain(prettyLine(line({ level: 40, msg: "models could not be fetched", retryInSeconds: 15 })));
    expect(warned).toMatch(/ warn {2}models could not be fetched retryInSeconds=15\n$/);
  });

  it("never lets a caller's bytes act on the terminal", () => {
    const fields = { method: "GET", path: "/\u001b[2J\u0007x", status: 404, durationMs: 1, msg: "request" };
    expect(prettyLine(line(fields))).toContain("/?[2J?x");
  });

  it("leaves the status below it as it was", () => {
    let shown = "";
    const lines = createTerminalLines({ write: (text) => (shown += text) });
    lines.showStatus("kokoro [#.........]");
    lines.write(line({ msg: "hello" }));
    expect(shown.endsWith("hello\nkokoro [#.........]")).toBe(true);
    lines.showStatus(undefined);
    expect(shown.endsWith("\r\u001b[K")).toBe(true);
  });

  it("draws progress within its ends", () => {
    expect([progressBar(-1), progressBar(0.58), progressBar(7)]).toEqual([
      "[..........]   0 %",
      "[######....]  58 %",
      "[##########] 100 %",
    ]);
  });
});
