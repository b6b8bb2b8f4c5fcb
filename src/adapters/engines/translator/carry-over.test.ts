import { describe, expect, it } from "vitest";
import { isReadable, mask, placeholder, splitKept } from "./carry-over.ts";
import { hasTags, putMarks, readMarks, splitBlocks } from "./markup.ts";
import { carriesNumbers, mendNumbers, mendWriting } from "./numbers.ts";
import { type Ask, translateSentence } from "./translate-sentence.ts";

const hop = { source: "en", target: "de" };
const shout: Ask = async (sentence) => [sentence.toUpperCase()];

describe("what must survive a translation", () => {
  it("is never shown to the net, and comes back as it was", () => {
    for (const text of [
      "See https://example.com/a-b?x=[1]&y=2, or write to me@example.org now.",
      "Run `rm -rf /` and then {name} or {{value}} and %s or %(count)d again",
      "Ask @user about #topic in src/main/cli.ts or README.pdf today",
      "Order AB-1234-X and item_count are here",
      "The word 日本 means Japan and Москва means Moscow",
    ]) {
      const masked = mask(text, "en");
      expect(masked.text).not.toMatch(/example|rm -rf|name|%|@|#|cli|AB-|item_|日|М/);
      expect(masked.lead + masked.restore(masked.text)! + masked.tail).toBe(text);
    }
  });

  it("at the beginning or the end of a sentence is simply left off", () => {
    const masked = mask("🎉 Look at this: https://example.com", "en");
    expect(mask(`Take ${"x".repeat(3000)} off`, "en").text).toBe("Take X1 off");
    expect(masked).toMatchObject({ lead: "🎉 ", text: "Look at this:", tail: " https://example.com" });
  });

  it("is missed when the net lost or doubled it", () => {
    const { text, restore } = mask("Open {one} and {two} now", "en");
    expect(restore(text.replace(placeholder(0), ""))).toBeUndefined();
    expect(restore(`${text} ${placeholder(1)}`)).toBeUndefined();
    expect(restore(text.toLowerCase())).toBe("open {one} and {two} now");
  });

  it("is brought over by translating around it when the net would not keep it", async () => {
    const careless: Ask = async (sentence) => [sentence.replace(/X\d/, "").toUpperCase()];
    expect(await translateSentence("see {name} now", hop, careless)).toBe("SEE {name} NOW");
  });

  it("is the whole sentence when it has no letter that the language is written in", async () => {
    expect(isReadable("Привет", "en")).toBe(false);
    expect(isReadable("Hello", "hi")).toBe(false);
    expect(isReadable("नमस्ते Tom", "hi")).toBe(true);
    expect(await translateSentence("Привет, мир", hop, shout)).toBe("Привет, мир");
    expect(splitKept("I like 日本 語 a lot", "en").map(({ text }) => text)).toEqual(["I like ", "日本 語", " a lot"]);
  });
});

describe("numbers", () => {
  it("are the same however a language writes them", () => {
    expect(carriesNumbers("It costs 1,250.50 on 3 May", "Es kostet 1.250,50 am 3. Mai")).toBe(true);
    expect(carriesNumbers("12,300 people in 2020", "12 300 personnes en 2020")).toBe(true);
    expect(carriesNumbers("Chapter 25", "अध्याय २५")).toBe(true);
    expect(carriesNumbers("Chapter 25", "الفصل ٢٥")).toBe(true);
    expect(carriesNumbers("Room 7", "Raum sieben")).toBe(false);
    expect(carriesNumbers("7 and 7", "7 und")).toBe(false);
  });

  it("that the net got wrong are put right, unless it told the time another way", () => {
    expect(mendNumbers("Pay 480 by 12 May", "Zahlen Sie 48 bis 12. Mai")).toBe("Zahlen Sie 480 bis 12. Mai");
    expect(mendNumbers("Come at 5 pm", "Kommen Sie um 17 Uhr")).toBe("Kommen Sie um 17 Uhr");
    expect(mendNumbers("Room 7", "Raum")).toBeUndefined();
  });

  it("are written as one language or the other does, never half and half", () => {
    const write = (source: string, translated: string) => mendWriting(source, translated);
    expect(write("Pay 1,250.00 now", "Zahlen Sie 1.250.00 jetzt")).toBe("Zahlen Sie 1,250.00 jetzt");
    for (const fine of ["1.250,00", "1,250.00", "1 250,00", "1250,00"]) {
      expect(write("Pay 1,250.00 now", `Payez ${fine}`)).toBe(`Payez ${fine}`);
    }
    expect(write("In 2020 it was 3.5 %", "2020 में यह ३.५ % था")).toBe("2020 में यह ३.५ % था");
    expect(write("At 10:30 on 12 May", "Um 10:30 am 12. Mai")).toBe("Um 10:30 am 12. Mai");
  });

  it("that the net would spell out or drop are hidden from it", async () => {
    const ask: Ask = async (sentence) => [sentence.includes("X1") ? "Ich habe X1 Hunde" : "Ich habe Hunde"];
    expect(await translateSentence("I have 2 dogs", hop, ask)).toBe("Ich habe 2 Hunde");
  });

  it("decide between translations that are otherwise as good", async () => {
    const ask: Ask = async () => ["Zimmer sieben", "Zimmer 7"];
    expect(await translateSentence("Room 7", hop, ask)).toBe("Zimmer 7");
  });
});

describe("how a sentence is written", () => {
  it("comes back: in capitals if it was shouted, and without a full stop if it had none", async () => {
    const seen: string[] = [];
    const ask: Ask = async (sentence) => {
      seen.push(sentence);
      return [sentence === "Read this now" ? "Lesen Sie das jetzt." : "NASA-Start"];
    };
    expect(await translateSentence("READ THIS NOW", hop, ask)).toBe("LESEN SIE DAS JETZT");
    expect(await translateSentence("NASA launch", hop, ask)).toBe("NASA-Start");
    expect(await translateSentence("Read this now", hop, ask)).toBe("Lesen Sie das jetzt");
    expect(seen).toEqual(["Read this now", "NASA launch", "Read this now"]);
  });
});

describe("tags", () => {
  const words: Record<string, string> = {
    "Click Save to go on.": "Klicken Sie auf Speichern.",
    Save: "Speichern",
    "Click ": "Klicken",
  };
  const ask: Ask = async (sentence) => [words[sentence] ?? sentence.toUpperCase()];

  it("go around the same words of the translation", async () => {
    expect(await translateSentence("Click <b>Save</b> to go on.", hop, ask)).toBe("Klicken Sie auf <b>Speichern</b>.");
  });

  it("stay between the words they stood between when those cannot be found again", async () => {
    expect(await translateSentence("one <i>two</i> three<br/> four", hop, shout)).toBe(
      "ONE <i>TWO</i> THREE<br/> FOUR",
    );
  });

  it("in pairs are read with what they hold, and others not at all", () => {
    expect(readMarks('a <a href="x">b</a> c')).toEqual({
      plain: "a b c",
      marked: [{ open: '<a href="x">', inside: "b", close: "</a>" }],
    });
    expect(readMarks("a <b>c")).toBeUndefined();
    expect(putMarks("x y", [{ open: "<b>", inside: "q", close: "</b>" }], ["z"])).toBeUndefined();
    expect(hasTags("1 < 2 and 3 > 2")).toBe(false);
  });

  it("that lay out a text cut it", () => {
    const text = "<p>One <b>two</b></p>\n<p>three<br>four</p>";
    const blocks = splitBlocks(text);
    expect(blocks.map((block) => block.text).join("")).toBe(text);
    expect(blocks.filter(({ isTag }) => !isTag).map((block) => block.text)).toEqual([
      "One <b>two</b>",
      "\n",
      "three",
      "four",
    ]);
  });
});
