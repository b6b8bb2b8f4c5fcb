import { describe, expect, it } from "vitest";
import { PLAIN } from "./manner.ts";
import { prepareText } from "./prepare-text.ts";
import { isSsml, readSsml } from "./read-ssml.ts";

const wordsOf = (ssml: string, language = "en-us") =>
  prepareText(ssml, language)
    .map(({ text }) => text)
    .filter(Boolean);

describe("SSML", () => {
  it("is what begins with speak", () => {
    expect(isSsml(' <?xml version="1.0"?>\n<speak version="1.1">x</speak>')).toBe(true);
    expect(isSsml("<speaker> x")).toBe(false);
    expect(isSsml("Say <speak>")).toBe(false);
  });

  it("pauses for as long as it is told, also before the first word", () => {
    const pieces = prepareText('<speak><break time="250ms"/>Hello<break time="1.5s"/>world</speak>', "en-us");
    expect(pieces).toEqual([
      { text: "", pauseMs: 250, isExactPause: true },
      { text: "Hello", pauseMs: 1500, isExactPause: true },
      { text: "world", pauseMs: 0 },
    ]);
    expect(prepareText('<speak>a<break strength="strong"/>b</speak>', "en-us")[0]).toMatchObject({ pauseMs: 600 });
    expect(prepareText("<speak>a<break/>b</speak>", "en-us")[0]).toMatchObject({ pauseMs: 300 });
  });

  it("says what is in prosody and emphasis in their manner, one inside the other", () => {
    const ssml =
      '<speak>I <emphasis level="strong">really</emphasis> <prosody rate="80%" pitch="+2st" volume="-3dB">mean <emphasis>it</emphasis></prosody></speak>';
    const spoken = readSsml(ssml, "en-us");
    expect(spoken.map(({ text }) => text.trim())).toEqual(["I", "really", "mean", "it"]);
    expect(spoken[0]!.manner).toBe(PLAIN);
    expect(spoken[1]!.manner).toMatchObject({ rate: 0.88, pitchSemitones: 1.5, energyDecibels: 3 });
    expect(spoken[2]!.manner).toMatchObject({ rate: 0.8, pitchSemitones: 2, energyDecibels: -3 });
    expect(spoken[3]!.manner.rate).toBeCloseTo(0.752);
  });

  it.each([
    ['<say-as interpret-as="characters">NASA</say-as>', "N [A](/ˈeɪ/) S [A](/ˈeɪ/)"],
    ['<say-as interpret-as="digits">1992</say-as>', "one nine nine two"],
    ['<say-as interpret-as="telephone">555 1234</say-as>', "five five five one two three four"],
    ['<say-as interpret-as="cardinal">1992</say-as>', "one thousand nine hundred ninety-two"],
    ['<say-as interpret-as="ordinal">3</say-as>', "third"],
    ['<say-as interpret-as="date" format="dmy">5/3/2024</say-as>', "March fifth, twenty twenty-four"],
    ['<sub alias="World Wide Web Consortium">W3C</sub>', "World Wide Web Consortium"],
    ['<phoneme alphabet="ipa" ph="təˈmɑːtoʊ">tomato</phoneme>', "[tomato](/təˈmɑːtoʊ/)"],
    ["Tom &amp; Jerry", "Tom and Jerry"],
    ["<![CDATA[1 < 2]]>", "one is less than two"],
  ])("%s is read as %s", (inside, read) => {
    expect(wordsOf(`<speak>${inside}</speak>`).join(" ").replace(/\s+/g, " ").trim()).toBe(read);
  });

  it("ends paragraphs and sentences with their pauses", () => {
    const pieces = prepareText("<speak><p><s>One.</s><s>Two.</s></p><p>Three.</p></speak>", "en-us");
    expect(pieces.map(({ text, pauseMs }) => [text, pauseMs])).toEqual([
      ["One.", 320],
      ["Two.", 920],
      ["Three.", 600],
    ]);
  });

  it.each([
    ["<speak><audio src='x'/></speak>", /<audio> is not known here. Tags: speak, p, s, break/],
    ["<speak>a<voice name='x'>b</voice></speak>", /<voice> is not known/],
    ["<speak>a <s>c</speak>", /not well-formed/],
    ["<speak>a & b</speak>", /not well-formed/],
    ["<speak>a", /not well-formed/],
    ["<speak>a<speak>b</speak></speak>", /only at the beginning/],
    ["<speak><break time='11s'/>a</speak>", /time="11s" of <break> must be a time up to 10s/],
    ["<speak><break time='soon'/>a</speak>", /must be a time up to 10s/],
    ["<speak><break strength='huge'/>a</speak>", /strength="huge" of <break> must be one of: none/],
    ["<speak><prosody rate='quick'>a</prosody></speak>", /rate="quick" of <prosody> must be one of: x-slow/],
    ["<speak><prosody rate='-100%'>a</prosody></speak>", /more than nothing/],
    ["<speak><prosody contour='x'>a</prosody></speak>", /<prosody> has no "contour" here, only: rate, pitch, volume/],
    ["<speak><prosody rate='__proto__'>a</prosody></speak>", /must be one of/],
    ["<speak><emphasis level='very'>a</emphasis></speak>", /must be one of: strong/],
    ["<speak><say-as interpret-as='joke'>a</say-as></speak>", /interpret-as, one of: characters/],
    ["<speak><sub>a</sub></speak>", /needs an alias/],
    ["<!DOCTYPE x><speak>a</speak>", undefined],
    ["<speak><!DOCTYPE x>a</speak>", /SSML/],
    ["<speak> <break time='1s'/> </speak>", /nothing that can be pronounced/],
    [`<speak>${"<p>".repeat(30)}a${"</p>".repeat(30)}</speak>`, /20 deep/],
  ])("%s", (ssml, message) => {
    if (message) expect(() => prepareText(ssml, "en-us")).toThrow(message);
    else expect(isSsml(ssml)).toBe(false);
  });

  it("makes no bomb of entities", () => {
    const bomb = '<?xml version="1.0"?><speak>&lol;</speak>';
    expect(() => prepareText(bomb, "en-us")).toThrow(/not well-formed/);
  });
});
