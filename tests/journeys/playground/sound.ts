import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readWav } from "../../../src/audio/wav.ts";
import type { Playground } from "../../support/dashboard/playground.ts";
import { eventually, patience } from "../../support/eventually.ts";
import { clips, readClip, shareHeard, transcriptOf } from "../../support/speech-clips.ts";

/** Speaking and hearing. */
export function soundStories(play: Playground): void {
  it("speaks while the sound arrives, marks the sentence and gives the file and the request away", async () => {
    await play.ada.open(`${play.base}/speech`);
    const voice = play.ada.page.getByLabel("Voice", { exact: true });
    const beautiful = await voice.inputValue();
    // It speaks five times, and this voice does so in a tenth of the time.
    await voice.selectOption("en_nora");
    await play.ada.fill("Text", "The first is here. And this is the second.");
    await play.ada.press("Speak");
    await play.answered();
    await play.card("Heard").getByRole("button", { name: /^Play/ }).click();
    const spoken = play.card("Heard").locator("[aria-current=true]");
    await spoken.filter({ hasText: /first|second/ }).waitFor();
    const [download] = await Promise.all([
      play.ada.page.waitForEvent("download"),
      play.ada.page.getByText("Download").click(),
    ]);
    const { samples, sampleRateHz } = readWav(readFileSync(await download.path()))!;
    expect(samples.length / sampleRateHz).toBeGreaterThan(1.5);

    for (const label of ["curl", "TypeScript", "Python"] as const) {
      rmSync(join(play.folder, "speech.wav"), { force: true });
      await play.runShown(label);
      expect(readFileSync(join(play.folder, "speech.wav")).length, label).toBeGreaterThan(50_000);
    }
    rmSync(join(play.folder, "speech.wav"));
    await play.runShown("OpenAI client");
    expect(readFileSync(join(play.folder, "speech.wav")).length).toBeGreaterThan(50_000);
    // MP3, too, is heard before all of it is there, which takes a voice that thinks about it.
    await voice.selectOption(beautiful);
    await play.ada.fill(
      "Text",
      "Twelve small boats left the harbour before the sun had come up over the hills. ".repeat(3),
    );
    await play.ada.page.getByText("mp3", { exact: true }).click();
    await play.ada.press("Speak");
    await play.ada.page.waitForFunction(
      `!/200 in/.test(document.body.innerText) &&
        document.querySelector("[aria-label='Position in the speech']")?.ariaValueNow > 0`,
      undefined,
      // Not with every frame: each look makes the browser lay the page out.
      { ...patience, polling: 100 },
    );
    await play.card("This visit").waitFor(patience);
    await play.expectGoodLooks();
  });

  it("lets two voices say the same, and begins with the one that was chosen", async () => {
    await play.ada.open(`${play.base}/voices`);
    await play.ada.fill("Text", "Hello there.");
    await play.ada.press("Let both speak");
    await eventually(() => play.ada.page.locator("audio").count()).toBe(2);
    const second = await play.ada.page.getByLabel("Voice, second").inputValue();
    await play.card("The second").getByRole("button", { name: "Set as default" }).click();
    await play.expectGoodLooks();
    await play.ada.open(`${play.base}/speech`);
    await eventually(() => play.ada.page.getByLabel("Voice", { exact: true }).inputValue()).toBe(second);
  });

  it("writes down a recording with times, and says what is wrong with a file that is none", async () => {
    await play.ada.open(`${play.base}/transcribe`);
    const drop = play.ada.page.locator("input[type=file]");
    await drop.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no sound at all") });
    await eventually(() => play.ada.page.getByRole("alert").innerText()).toMatch(/audio|container|recogni/i);

    await play.ada.page.getByLabel("Language").selectOption("en-us");
    const buffer = readClip(clips.englishLong);
    writeFileSync(join(play.folder, "talk.wav"), buffer);
    await drop.setInputFiles({ name: "talk.wav", mimeType: "audio/wav", buffer });
    await play.answered();
    const words = play.card("Transcript").locator("li button");
    const shown = async () => (await words.allInnerTexts()).join(" ");
    await eventually(async () => shareHeard(transcriptOf(clips.englishLong), await shown())).toBeGreaterThan(0.8);
    await words.nth(5).click();
    await play.card("Transcript").locator("[aria-current=true]").waitFor();
    await play.button("Copy SRT").click();
    await play.card("Transcript").getByText("Copied").first().waitFor();
    expect(await play.ada.page.evaluate("navigator.clipboard.readText()")).toMatch(/^1\n00:00:0\d,\d{3} --> /);
    for (const label of ["curl", "TypeScript"] as const) expect(await play.runShown(label), label).toMatch(/segments/);
    expect(shareHeard(transcriptOf(clips.englishLong), await play.runShown("OpenAI client"))).toBeGreaterThan(0.8);
    await play.expectGoodLooks();
  });

  it("records the microphone and writes it down", async () => {
    await play.ada.open(`${play.base}/transcribe`);
    await play.ada.page.getByLabel("Language").selectOption("en-us");
    await play.ada.press("Record");
    await play.ada.page.getByRole("meter").waitFor();
    await play.ada.page.waitForTimeout(4000);
    await play.ada.press("Stop recording");
    await play.answered();
    await eventually(() => play.card("Transcript").innerText()).toMatch(/chinese|impressions|wood/i);
    expect(play.ada.complaints).toEqual([]);
  });

  it("shows words while somebody still speaks", async () => {
    await play.ada.open(`${play.base}/live`);
    await play.ada.page.getByLabel("Language").selectOption("en-us");
    await play.ada.press("Listen");
    await play.ada.page.locator("li[data-final=false]").first().waitFor(patience);
    const final = play.ada.page.locator("li[data-final=true]").first();
    await final.waitFor(patience);
    await play.ada.press("Stop");
    await play.button("Listen").waitFor();
    await eventually(() => final.innerText()).toMatch(/chinese|impressions|printers/i);
    expect(await play.runShown("curl")).toContain("/v1/realtime/stt/lang/stream?token=");
    await play.expectGoodLooks();
  });
}
