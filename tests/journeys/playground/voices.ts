import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readWav } from "../../../src/audio/wav.ts";
import type { Playground } from "../../support/dashboard/playground.ts";
import { eventually, patience } from "../../support/eventually.ts";
import { clips, readClip } from "../../support/speech-clips.ts";

/** Dubbing, personas and calls. */
export function voicesStories(play: Playground): void {
  it("dubs a recording, with progress and both versions side by side", async () => {
    await play.ada.open(`${play.base}/dub`);
    const buffer = readClip(clips.english);
    await play.ada.page.locator("input[type=file]").setInputFiles({ name: "talk.wav", mimeType: "audio/wav", buffer });
    await play.ada.press("Dub");
    await play.ada.page.getByRole("progressbar").first().waitFor();
    await play.answered();
    await eventually(() => play.ada.page.getByRole("list", { name: "Segments" }).innerText()).toMatch(
      /longer[\s\S]*times its own pace/i,
    );
    await eventually(() => play.ada.page.locator("audio").count()).toBe(2);
    await eventually(() => play.shownCode("curl")).toContain("-F file=@talk.wav");
    await play.expectGoodLooks();
  });

  it("makes a persona of a voice, retunes it, and takes a clip only with consent", async () => {
    await play.ada.open(`${play.base}/personas`);
    await play.ada.fill("Name", "Night shift");
    await play.ada.page.getByLabel("Tone").selectOption("calm");
    await play.ada.page.getByLabel(/^Pace/).fill("-2");
    await eventually(() => play.ada.page.getByLabel("Style in words").inputValue()).toBe("very slow");
    await play.ada.press("Hear it first");
    await play.ada.page
      .locator("audio")
      .first()
      .waitFor({ state: "attached", ...patience });
    await play.ada.press("Save persona");
    const row = play.ada.page.getByRole("listitem").filter({ hasText: "Night shift" });
    await row.waitFor(patience);
    await row.getByRole("button", { name: "Let it speak" }).click();
    await play.answered();
    await eventually(() => play.shownCode("curl")).toContain("persona_id");
    await row.getByRole("button", { name: "Retune" }).click();
    await play.ada.page.getByLabel("Tone").selectOption("cheerful");
    await play.ada.press("Save changes");
    await row.getByText("cheerful").waitFor(patience);
    await play.expectGoodLooks();

    await play.ada.page.getByText("A recorded voice").click();
    await play.ada.fill("Name", "Ann");
    const buffer = readClip(clips.englishLong);
    await play.ada.page.locator("input[type=file]").setInputFiles({ name: "ann.wav", mimeType: "audio/wav", buffer });
    await eventually(() => play.button("Save persona").isDisabled()).toBe(true);
    await play.ada.fill("Who agreed, and how you know", "Ann Example, in person");
    await play.ada.page.getByLabel("This person agreed to their voice being cloned").check();
    await play.ada.press("Hear it first");
    await play.answered();
    await play.ada.page.locator("audio").first().waitFor({ state: "attached" });
    writeFileSync(join(play.folder, "ann.wav"), buffer);
    await play.runShown("curl");
    expect(readWav(readFileSync(join(play.folder, "preview.wav")))!.samples.length).toBeGreaterThan(16_000);
    await play.ada.press("Save persona");
    const clone = play.ada.page.getByRole("listitem").filter({ hasText: "Ann" });
    await clone.getByText("clone", { exact: true }).waitFor(patience);
    for (const one of [row, clone]) {
      await one.getByRole("button", { name: "Delete" }).click();
      await play.ada.press("Delete persona");
      await one.waitFor({ state: "detached", ...patience });
    }
    expect(play.ada.complaints).toEqual([]);
  });

  it("talks with a caller and shows what was said and how long each stage took", async () => {
    await play.ada.open(`${play.base}/call`);
    const fallSilent = await play.holdMicrophone();
    await play.ada.press("Call");
    await play.ada.page.getByText("Connected", { exact: true }).waitFor(patience);
    const log = play.ada.page.getByRole("log");
    await log
      .getByText(/chinese|impressions|printers/i)
      .first()
      .waitFor(patience);
    // However long the answer takes, nobody talks over it.
    await fallSilent();
    await log
      .getByText(/^Answer:/)
      .first()
      .waitFor(patience);
    await play.ada.page
      .getByRole("list", { name: "Latency of answers" })
      .getByText("answer heard")
      .first()
      .waitFor(patience);
    await play.ada.press("Hang up");
    await play.button("Call").waitFor();
    await play.expectGoodLooks();
  });

  it("says what it is given, and falls silent when the caller talks over it", async () => {
    await play.ada.open(`${play.base}/call`);
    await play.ada.page.getByText("You write it").click();
    await play.ada.press("Call");
    await play.ada.page.getByText("Connected", { exact: true }).waitFor(patience);
    const log = play.ada.page.getByRole("log");
    const answer = log.getByText(/^Answer: Twelve small/).first();
    // What is sent while the caller speaks is talked over before its first word: then it is sent again.
    for (let attempt = 0; attempt < 10 && !(await answer.isVisible()); attempt++) {
      // Longer than the silence before the caller's words come again.
      await play.ada.fill("What the server says", "Twelve small boats left the harbour before sunrise. ".repeat(20));
      await play.ada.press("Send");
      await answer.waitFor({ timeout: 20_000 }).catch(() => {});
    }
    await answer.waitFor();
    await log.getByText("interrupted").waitFor(patience);
    await log
      .getByText(/chinese|impressions|printers/i)
      .first()
      .waitFor(patience);
    await play.ada.press("Hang up");
    await play.button("Call").waitFor();
    expect(play.ada.complaints).toEqual([]);
  });
}
