import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { patience } from "../eventually.ts";
import { defaultModels, type FakeUpstream, startFakeUpstream } from "../fake-upstream.ts";
import { type Installation, openInstallation, setUpAsOwner, workspaceOf } from "./installation.ts";
import type { Visitor } from "./visitor.ts";

const run = promisify(execFile);
const modules = join(import.meta.dirname, "../../../node_modules");

/** A model that says of itself that it draws. */
const drawing = { id: "acme/draw", object: "model", owned_by: "acme", type: "image", pricing: { image: "0.04" } };

/** One visitor at the playground of one installation, with a folder for what code writes. */
export class Playground {
  readonly folder = mkdtempSync(join(tmpdir(), "parlance-playground-"));
  home!: Installation;
  ada!: Visitor;
  base!: string;

  /** Models of others, as a test wants them to answer. */
  upstream!: FakeUpstream;

  /** `microphone` is what the browser hears, over and over. */
  async open(microphone: Uint8Array): Promise<void> {
    const file = join(this.folder, "microphone.wav");
    writeFileSync(file, microphone);
    // What code of a project finds beside itself.
    symlinkSync(modules, join(this.folder, "node_modules"));
    this.upstream = await startFakeUpstream([...defaultModels, drawing]);
    this.home = await openInstallation("embedded", { SVC_GATEWAY_UPSTREAM_URL: this.upstream.url }, file);
    this.ada = await setUpAsOwner(this.home);
    await this.home.server.admin("credits grant", { workspace: "default", amount: "5" });
    this.base = `/w/${workspaceOf(this.ada)}/playground`;
  }

  async close(): Promise<void> {
    await this.home?.close();
    await this.upstream?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Before the page asks for the microphone; what it returns switches that off. */
  async holdMicrophone(): Promise<() => Promise<void>> {
    const { page } = this.ada;
    await page.evaluate(`{
      const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async (wanted) => (window.microphone = await ask(wanted));
    }`);
    return () => page.evaluate("for (const track of window.microphone.getTracks()) track.enabled = false");
  }

  button(name: string | RegExp) {
    return this.ada.page.getByRole("button", { name, exact: typeof name === "string" });
  }

  card(title: string) {
    const { page } = this.ada;
    return page.locator("section", { has: page.getByRole("heading", { name: title, exact: true }) });
  }

  answered(): Promise<void> {
    return this.ada.page
      .getByText(/^200 in/)
      .first()
      .waitFor(patience);
  }

  /** The code that the page shows for its last request. */
  async shownCode(label: string): Promise<string> {
    const code = this.card("As code");
    await code.getByRole("button", { name: label, exact: true }).click();
    await code.getByRole("button", { name: label, exact: true, pressed: true }).waitFor();
    return code.locator("pre").innerText();
  }

  /** Runs code as it is shown, in a folder of its own, with a key in the variable that it names. */
  async runShown(label: "curl" | "TypeScript" | "OpenAI client" | "Python"): Promise<string> {
    const code = await this.shownCode(label);
    expect(code).not.toMatch(/parl_|Bearer p/);
    const env = { ...process.env, PARLANCE_API_KEY: this.home.server.key };
    const inFolder = { cwd: this.folder, env };
    if (label === "curl") return (await run("bash", ["-c", code], inFolder)).stdout;
    if (label === "Python") return (await run("python3", ["-c", code], inFolder)).stdout;
    writeFileSync(join(this.folder, "shown.mts"), code);
    return (await run(join(modules, ".bin/tsx"), ["shown.mts"], inFolder)).stdout;
  }

  /** Drags over a part of an element, given as fractions of it. */
  async drawBox(label: string, [left, top, right, bottom]: readonly [number, number, number, number]): Promise<void> {
    const target = this.ada.page.getByLabel(label, { exact: true });
    await target.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await target.boundingBox())!;
    const { mouse } = this.ada.page;
    await mouse.move(x + left * width, y + top * height);
    await mouse.down();
    await mouse.move(x + right * width, y + bottom * height, { steps: 4 });
    await mouse.up();
  }

  /** Axe, the width of a phone and the console. */
  async expectGoodLooks(): Promise<void> {
    expect([...(await this.ada.problems()), ...this.ada.complaints]).toEqual([]);
  }
}
