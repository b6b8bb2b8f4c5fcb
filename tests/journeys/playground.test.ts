import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readWav } from "../../src/audio/wav.ts";
import { type Installation, openInstallation, setUpAsOwner, workspaceOf } from "../support/dashboard/installation.ts";
import type { Visitor } from "../support/dashboard/visitor.ts";
import { whyNoBrowser } from "../support/find-browser.ts";
import {
  clips,
  readClip,
  readPcm,
  shareHeard,
  silence,
  toWav,
  transcriptOf,
  whyNoHearing,
} from "../support/speech-clips.ts";

const run = promisify(execFile);

/** The first request of an engine loads its model, and machines are slow. */
const patience = { timeout: 300_000 };

describe.skipIf(whyNoBrowser() ?? whyNoHearing())("the playground", () => {
  const folder = mkdtempSync(join(tmpdir(), "parlance-playground-"));
  let home: Installation;
  let ada: Visitor;
  let base: string;

  beforeAll(async () => {
    const microphone = join(folder, "microphone.wav");
    writeFileSync(microphone, toWav(Buffer.concat([silence(0.3), readPcm(clips.englishLong), silence(20)])));
    home = await openInstallation("embedded", {}, microphone);
    ada = await setUpAsOwner(home);
    base = `/w/${workspaceOf(ada)}/playground`;
  });
  beforeEach(() => {
    ada.complaints.length = 0;
  });
  afterAll(async () => {
    await home?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const button = (name: string | RegExp) => ada.page.getByRole("button", { name, exact: typeof name === "string" });
  const card = (title: string) =>
    ada.page.locator("section", { has: ada.page.getByRole("heading", { name: title, exact: true }) });
  const answered = () =>
    ada.page
      .getByText(/^200 in/)
      .first()
      .waitFor(patience);

  /** The code that the page shows for its last request. */
  async function shownCode(label: string): Promise<string> {
    await card("As code").getByRole("button", { name: label, exact: true }).click();
    return card("As code").locator("pre").innerText();
  }
  /** Runs code as it is shown, in a folder of its own, with a key in the variable that it names. */
  async function runShown(label: "curl" | "TypeScript" | "Python"): Promise<string> {
    const code = await shownCode(label);
    expect(code).not.toMatch(/parl_|Bearer p/);
    const env = { ...process.env, PARLANCE_API_KEY: home.server.key };
    if (label !== "TypeScript") {
      const [program, flag] = label === "curl" ? ["bash", "-c"] : ["python3", "-c"];
      return (await run(program!, [flag!, code], { cwd: folder, env })).stdout;
    }
    writeFileSync(join(folder, "shown.mts"), code);
    const tsx = join(import.meta.dirname, "../../node_modules/.bin/tsx");
    return (await run(tsx, ["shown.mts"], { cwd: folder, env })).stdout;
  }
  /** Axe, the width of a phone and the console. */
  async function expectGoodLooks(): Promise<void> {
    expect([...(await ada.problems()), ...ada.complaints]).toEqual([]);
  }

  it("speaks while the sound arrives, marks the sentence and gives the file and the request away", async () => {
    await ada.open(`${base}/speech`);
    await ada.fill("Text", "The first sentence is here. And this is the second one, a little longer.");
    await ada.press("Speak");
    await answered();
    await card("Heard").getByRole("button", { name: /^Play/ }).click();
    await card("Heard").locator("[aria-current=true]").first().waitFor();
    expect(await card("Heard").locator("[aria-current=true]").first().innerText()).toMatch(/sentence|second/);
    const [download] = await Promise.all([ada.page.waitForEvent("download"), ada.page.getByText("Download").click()]);
    const { samples, sampleRateHz } = readWav(readFileSync(await download.path()))!;
    expect(samples.length / sampleRateHz).toBeGreaterThan(2);

    for (const label of ["curl", "TypeScript", "Python"] as const) {
      rmSync(join(folder, "speech.wav"), { force: true });
      await runShown(label);
      expect(readFileSync(join(folder, "speech.wav")).length, label).toBeGreaterThan(50_000);
    }
    await ada.page.getByText("mp3", { exact: true }).click();
    await ada.press("Speak");
    await card("This visit").waitFor(patience);
    await expectGoodLooks();
  });

  it("lets two voices say the same, and begins with the one that was chosen", async () => {
    await ada.open(`${base}/voices`);
    await ada.fill("Text", "Hello there.");
    await ada.press("Let both speak");
    await expect.poll(() => ada.page.locator("audio").count(), patience).toBe(2);
    const second = await ada.page.getByLabel("Voice, second").inputValue();
    await card("The second").getByRole("button", { name: "Set as default" }).click();
    await expectGoodLooks();
    await ada.open(`${base}/speech`);
    expect(await ada.page.getByLabel("Voice", { exact: true }).inputValue()).toBe(second);
  });

  it("writes down a recording with times, and says what is wrong with a file that is none", async () => {
    await ada.open(`${base}/transcribe`);
    const drop = ada.page.locator("input[type=file]");
    await drop.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no sound at all") });
    await ada.page.getByRole("alert").waitFor(patience);
    expect(await ada.page.getByRole("alert").innerText()).toMatch(/audio|container|recogni/i);

    await ada.page.getByLabel("Language").selectOption("en-us");
    const buffer = readClip(clips.englishLong);
    writeFileSync(join(folder, "talk.wav"), buffer);
    await drop.setInputFiles({ name: "talk.wav", mimeType: "audio/wav", buffer });
    await answered();
    const words = card("Transcript").locator("li button");
    expect(shareHeard(transcriptOf(clips.englishLong), (await words.allInnerTexts()).join(" "))).toBeGreaterThan(0.8);
    await words.nth(5).click();
    await card("Transcript").locator("[aria-current=true]").waitFor();
    await button("Copy SRT").click();
    await card("Transcript").getByText("Copied").first().waitFor();
    expect(await ada.page.evaluate("navigator.clipboard.readText()")).toMatch(/^1\n00:00:0\d,\d{3} --> /);
    for (const label of ["curl", "TypeScript"] as const) expect(await runShown(label), label).toMatch(/segments/);
    await expectGoodLooks();
  });

  it("records the microphone and writes it down", async () => {
    await ada.open(`${base}/transcribe`);
    await ada.page.getByLabel("Language").selectOption("en-us");
    await ada.press("Record");
    await ada.page.getByRole("meter").waitFor();
    await ada.page.waitForTimeout(4000);
    await ada.press("Stop recording");
    await answered();
    expect(await card("Transcript").innerText()).toMatch(/chinese|impressions|wood/i);
    expect(ada.complaints).toEqual([]);
  });

  it("shows words while somebody still speaks", async () => {
    await ada.open(`${base}/live`);
    await ada.page.getByLabel("Language").selectOption("en-us");
    await ada.press("Listen");
    await ada.page.locator("li[data-final=false]").first().waitFor(patience);
    const final = ada.page.locator("li[data-final=true]").first();
    await final.waitFor(patience);
    await ada.press("Stop");
    await button("Listen").waitFor();
    expect(await final.innerText()).toMatch(/chinese|impressions|printers/i);
    expect(await runShown("curl")).toContain("/v1/realtime/stt/lang/stream?token=");
    await expectGoodLooks();
  });

  it("translates, tells the language and the engine, and swaps the sides", async () => {
    await ada.open(`${base}/translate`);
    await ada.fill("Text", "Where is the station?");
    await ada.press("Translate");
    await answered();
    expect(await ada.text()).toMatch(/estación/i);
    expect(await ada.text()).toMatch(/from English[\s\S]*svc-translate-1/);
    expect(await runShown("curl")).toMatch(/estación/i);
    expect(await runShown("TypeScript")).toMatch(/estación/i);
    await ada.press("Swap");
    expect(await ada.page.getByLabel("Text").inputValue()).toMatch(/estación/i);
    expect(await ada.page.getByLabel("Into").inputValue()).toMatch(/^en/);
    await expectGoodLooks();
  });

  it("chats word by word, counts tokens and stops when told to", async () => {
    await ada.open(`${base}/chat`);
    await ada.page.getByLabel("System prompt").fill("You answer in one short sentence.");
    await ada.press("Send");
    await answered();
    const log = ada.page.getByRole("log");
    // What so small a model says is its own affair.
    expect(await log.innerText()).toMatch(/Answer:\s+\S[\s\S]*tokens in[\s\S]*cached/);
    await ada.fill("Message", "Tell me a very long story about ten ships.");
    await ada.press("Send");
    await log
      .getByText(/^Answer:/)
      .nth(1)
      .waitFor(patience);
    // It may have come to its end by itself.
    await button("Stop")
      .click({ timeout: 1000 })
      .catch(() => {});
    await button("Send").waitFor(patience);
    const said = await log.innerText();
    await ada.page.waitForTimeout(500);
    expect(await log.innerText()).toBe(said);
    expect(await shownCode("curl")).toContain("$PARLANCE_API_KEY");
    await expectGoodLooks();
  });

  it("maps texts by how alike they are", async () => {
    await ada.open(`${base}/embeddings`);
    await ada.press("Compare");
    await answered();
    const table = ada.page.getByRole("region", { name: "Similarity of every pair" });
    const row = async (at: number) =>
      (await table.getByRole("row").nth(at).getByRole("cell").allInnerTexts()).map(Number);
    const [, kitten, , invoice] = await row(1);
    expect(kitten!).toBeGreaterThan(invoice! + 0.1);
    expect(JSON.parse(await runShown("curl")).dimensions).toBe(384);
    await expectGoodLooks();
  });

  it("shows a document's fields where they stand, takes corrections and says which checks hold", async () => {
    await ada.open(`${base}/extraction`);
    const drop = ada.page.locator("input[type=file]");
    await drop.setInputFiles({
      name: "broken.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.7 broken"),
    });
    await ada.page.getByRole("alert").waitFor(patience);

    await ada.press("Use a sample invoice");
    await answered();
    // Several requests at once share one key.
    expect(await ada.text()).not.toContain("had been revoked");
    await ada.page.getByRole("img", { name: "Page 1 of invoice.pdf" }).waitFor(patience);
    // From the page to the data, and back.
    await button("Show grand_total in the data").click();
    const fields = ada.page.getByRole("list", { name: "Fields" });
    expect(await fields.locator("[aria-current=true]").innerText()).toMatch(/grand_total[\s\S]*388\.49/);
    await fields.getByRole("button", { name: /^invoice_number/ }).click();
    const box = ada.page.getByRole("button", { name: "Show invoice_number in the data" });
    expect(await box.getAttribute("aria-pressed")).toBe("true");

    await button("Correct grand_total").click();
    await ada.fill("Value of grand_total", "400");
    await ada.press("Save");
    await ada.page.getByText("corrected", { exact: true }).waitFor(patience);
    expect(await ada.page.getByRole("list", { name: "Checks" }).innerText()).toContain("Fails:");
    expect(await shownCode("curl")).toContain("-X PATCH");
    expect(JSON.parse(await runShown("curl")).fields.grand_total).toMatchObject({ value: 400, corrected: true });
    expect(await runShown("TypeScript")).toMatch(/corrected: true/);
    const [download] = await Promise.all([ada.page.waitForEvent("download"), button("Download xlsx").click()]);
    expect(
      readFileSync(await download.path())
        .subarray(0, 2)
        .toString(),
    ).toBe("PK");
    await expectGoodLooks();

    const past = card("Past extractions");
    await past.getByLabel("Search extractions").fill("invoice.pdf");
    const row = past.getByRole("row", { name: /invoice\.pdf/ });
    await row.getByRole("button", { name: "Delete" }).click();
    await ada.press("Delete document");
    await row.waitFor({ state: "detached", ...patience });
    expect(ada.complaints).toEqual([]);
  });

  it("dubs a recording, with progress and both versions side by side", async () => {
    await ada.open(`${base}/dub`);
    const buffer = readClip(clips.english);
    await ada.page.locator("input[type=file]").setInputFiles({ name: "talk.wav", mimeType: "audio/wav", buffer });
    await ada.press("Dub");
    await ada.page.getByRole("progressbar").first().waitFor();
    await answered();
    expect(await ada.page.getByRole("list", { name: "Segments" }).innerText()).toMatch(
      /longer[\s\S]*times its own pace/i,
    );
    expect(await ada.page.locator("audio").count()).toBe(2);
    expect(await shownCode("curl")).toContain("-F file=@talk.wav");
    await expectGoodLooks();
  });

  it("makes a persona of a voice, retunes it, and takes a clip only with consent", async () => {
    await ada.open(`${base}/personas`);
    await ada.fill("Name", "Night shift");
    await ada.page.getByLabel("Tone").selectOption("calm");
    await ada.page.getByLabel(/^Pace/).fill("-2");
    expect(await ada.page.getByLabel("Style in words").inputValue()).toBe("very slow");
    await ada.press("Hear it first");
    await ada.page
      .locator("audio")
      .first()
      .waitFor({ state: "attached", ...patience });
    await ada.press("Save persona");
    const row = ada.page.getByRole("listitem").filter({ hasText: "Night shift" });
    await row.waitFor(patience);
    await row.getByRole("button", { name: "Let it speak" }).click();
    await answered();
    expect(await shownCode("curl")).toContain("persona_id");
    await row.getByRole("button", { name: "Retune" }).click();
    await ada.page.getByLabel("Tone").selectOption("cheerful");
    await ada.press("Save changes");
    await row.getByText("cheerful").waitFor(patience);
    await expectGoodLooks();

    await ada.page.getByText("A recorded voice").click();
    await ada.fill("Name", "Ann");
    const buffer = readClip(clips.englishLong);
    await ada.page.locator("input[type=file]").setInputFiles({ name: "ann.wav", mimeType: "audio/wav", buffer });
    expect(await button("Save persona").isDisabled()).toBe(true);
    await ada.fill("Who agreed, and how you know", "Ann Example, in person");
    await ada.page.getByLabel("This person agreed to their voice being cloned").check();
    await ada.press("Save persona");
    const clone = ada.page.getByRole("listitem").filter({ hasText: "Ann" });
    await clone.getByText("clone", { exact: true }).waitFor(patience);
    for (const one of [row, clone]) {
      await one.getByRole("button", { name: "Delete" }).click();
      await ada.press("Delete persona");
      await one.waitFor({ state: "detached", ...patience });
    }
    expect(ada.complaints).toEqual([]);
  });

  it("talks with a caller and shows what was said and how long each stage took", async () => {
    await ada.open(`${base}/call`);
    await ada.press("Call");
    await ada.page.getByText("Connected", { exact: true }).waitFor(patience);
    const log = ada.page.getByRole("log");
    await log
      .getByText(/chinese|impressions|printers/i)
      .first()
      .waitFor(patience);
    await log
      .getByText(/^Answer:/)
      .first()
      .waitFor(patience);
    await ada.page
      .getByRole("list", { name: "Latency of answers" })
      .getByText("answer heard")
      .first()
      .waitFor(patience);
    await ada.press("Hang up");
    await button("Call").waitFor();
    await expectGoodLooks();
  });

  it("asks two models of the gateway side by side, and holds an answer to a schema", async () => {
    await ada.open(`${base}/gateway`);
    await ada.page.getByLabel("Two side by side").check();
    await ada.press("Ask");
    await expect.poll(() => ada.page.getByText("costs nothing").count(), patience).toBe(2);
    // The small model does not always know.
    expect(await card("Answer").innerText()).toMatch(/Paris|France/);
    await ada.page.getByLabel("Two side by side").uncheck();
    await ada.page.getByText("JSON schema", { exact: true }).click();
    await ada.press("Ask");
    await ada.page.getByText("costs nothing").waitFor(patience);
    expect(await card("Answer").innerText()).toMatch(/"city"/);
    const reply = JSON.parse(await runShown("curl"));
    expect(Object.keys(JSON.parse(reply.choices[0].message.content))).toContain("city");
    await expectGoodLooks();
  });

  it("goes on with a new key when the session's was revoked in mid-work, and says so", async () => {
    await ada.open(`${base}/translate`);
    await ada.press("Translate");
    await answered();
    // Another page of the same session asks for a key: that ends the one before.
    await ada.page.evaluate(
      `fetch("/dashboard/api/workspaces/${workspaceOf(ada)}/playground-key", { method: "POST" }).then(() => undefined)`,
    );
    await ada.fill("Text", "Good evening.");
    await expect
      .poll(async () => {
        await ada.press("Translate");
        await answered();
        return ada.text();
      }, patience)
      .toContain("had been revoked or had run out");
    expect(ada.complaints).toEqual([]);
  });

  it("shows how far an engine has loaded instead of an error", async () => {
    const engine = { capability: "chat", engine: "llama", model: "svc-chat-1" };
    let engines: object[] = [{ ...engine, state: "loading", reason: "fetching", progress: 0.4 }];
    await ada.page.route("**/readyz", (route) => route.fulfill({ json: { engines } }));
    await ada.open(`${base}/chat`);
    const progress = ada.page.getByRole("progressbar", { name: "Loading llama" });
    await progress.waitFor();
    expect(await progress.getAttribute("aria-valuenow")).toBe("40");
    engines = [{ ...engine, state: "ready" }];
    await progress.waitFor({ state: "detached" });
    await ada.page.unroute("**/readyz");
    expect(ada.complaints).toEqual([]);
  });

  it("keeps nothing of what was written in the browser once the page is left", async () => {
    await ada.open(`${base}/translate`);
    await ada.fill("Text", "A secret for nobody else.");
    await ada.open(base.replace("/playground", "/keys"));
    const kept = (await ada.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")) as string;
    expect(kept).not.toMatch(/secret|parl_/);
    await ada.open(`${base}/translate`);
    expect(await ada.page.getByLabel("Text").inputValue()).not.toContain("secret");
  });
});
