import { describe, expect, it } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { countTokens, createApertium } from "./apertium.ts";
import { readChains } from "./directions.ts";
import { placeholder, protect } from "./protect.ts";
import { readMode, writePipeline } from "./read-mode.ts";
import { translateText } from "./translate-text.ts";

describe("a mode file", () => {
  const line =
    "lt-proc -w '/usr/share/a b/eng.bin' | apertium-tagger -g $2 '/usr/share/x.prob' | lt-proc $1 '/usr/share/gen.bin'";

  it("becomes programs that answer at each zero byte, without marks on words they do not know", () => {
    expect(readMode(line)).toEqual([
      ["lt-proc", "-z", "-w", "/usr/share/a b/eng.bin"],
      ["apertium-tagger", "-z", "-g", "/usr/share/x.prob"],
      ["lt-proc", "-z", "-n", "/usr/share/gen.bin"],
    ]);
  });

  it("is written for a shell with every word quoted", () => {
    expect(writePipeline([["a", "it's"], ["b"]])).toBe(`'a' 'it'\\''s' | 'b'`);
  });
});

describe("what must survive a translation", () => {
  it("comes back as it was", () => {
    for (const text of [
      "See https://example.com/a-b?x=[1]&y=2, or write to me@example.org.",
      "Hello <b>big</b> &amp; small [note] {name} a/b \\ ^x^ $5 @user #tag ~ 50%",
      "Run `rm -rf /` now",
      "No end",
    ]) {
      const { stream, restore } = protect(text);
      expect(stream).not.toMatch(/example|rm -rf/);
      expect(restore(stream)).toBe(text);
    }
  });

  it("is missed when a rule lost, doubled or moved it", () => {
    const { stream, restore } = protect("See https://example.com <i>now</i>");
    expect(restore(stream.replace(placeholder(0), ""))).toBeUndefined();
    expect(restore(stream.replace(placeholder(0), `${placeholder(0)} ${placeholder(0)}`))).toBeUndefined();
    expect(restore(stream.replace(/\[[^[\]]*i[^[\]]*\](?=\.\[)/, ""))).toBeUndefined();
  });

  it("is found even where a rule changed its case", () => {
    const { stream, restore } = protect("See https://example.com now.");
    expect(restore(stream.toUpperCase())).toBe("SEE https://example.com NOW.");
  });
});

describe("translating a text", () => {
  const shout = async (stream: string) => stream.toUpperCase();

  it("goes line by line and leaves line breaks, blank lines and indents where they are", async () => {
    const text = "one\n\n  two \r\n\t123\nthree";
    expect(await translateText(text, shout)).toBe("ONE\n\n  TWO \r\n\t123\nTHREE");
  });

  it("goes piece by piece around what would not survive", async () => {
    const careless = async (stream: string) => stream.replace(/Qx\w+xq/, "").toUpperCase();
    expect(await translateText("see https://example.com now", careless)).toBe("SEE https://example.com NOW");
  });

  it("drops control characters, which would end the stream", async () => {
    expect(await translateText("a\u0000b\u0007c", shout)).toBe("ABC");
  });
});

describe("directions", () => {
  it("in the table that ships are offered only where they are good enough or could not be measured", () => {
    const table = readChains();
    expect(table.length).toBeGreaterThan(40);
    expect(table.find(({ source, target }) => source === "en-us" && target === "fr")?.chain.length).toBeGreaterThan(1);
  });

  it("that are poor or not installed are not offered, and a machine without any says what to install", () => {
    const directions = [{ source: "a", target: "b", chain: ["a-b"], quality: "good" as const }];
    const engine = createApertium({ log: silentLog, modesFolder: "/nowhere", directions });
    expect(engine.directions()).toEqual([]);
    expect(engine.missing?.()).toMatch(/scripts\/apertium-packages/);
  });

  it("are counted in words and marks", () => {
    expect(countTokens("The dog's house is big, 1 of 2.")).toBe(10);
    expect(countTokens("नमस्ते दुनिया")).toBe(2);
  });
});
