import { expect, it } from "vitest";
import { workspaceOf } from "../../support/dashboard/installation.ts";
import type { Playground } from "../../support/dashboard/playground.ts";
import { eventually, patience } from "../../support/eventually.ts";

/** What every page shares: its key, its engines, what it keeps. */
export function sessionStories(play: Playground): void {
  it("goes on with a new key when the session's was revoked in mid-work, and says so", async () => {
    await play.ada.open(`${play.base}/translate`);
    await play.ada.press("Translate");
    await play.answered();
    // Another page of the same session asks for a key: that ends the one before.
    await play.ada.page.evaluate(
      `fetch("/dashboard/api/workspaces/${workspaceOf(play.ada)}/playground-key", { method: "POST" }).then(() => undefined)`,
    );
    await play.ada.fill("Text", "Good evening.");
    await expect
      .poll(async () => {
        await play.ada.press("Translate");
        await play.answered();
        return play.ada.text();
      }, patience)
      .toContain("had been revoked or had run out");
    expect(play.ada.complaints).toEqual([]);
  });

  it("shows how far an engine has loaded instead of an error", async () => {
    const engine = { capability: "chat", engine: "llama", model: "svc-chat-1" };
    let engines: object[] = [{ ...engine, state: "loading", reason: "fetching", progress: 0.4 }];
    await play.ada.page.route("**/catalog/engines", (route) => route.fulfill({ json: { engines } }));
    await play.ada.open(`${play.base}/chat`);
    const progress = play.ada.page.getByRole("progressbar", { name: "Loading llama" });
    await progress.waitFor();
    await eventually(() => progress.getAttribute("aria-valuenow")).toBe("40");
    engines = [{ ...engine, state: "ready" }];
    await progress.waitFor({ state: "detached" });
    await play.ada.page.unroute("**/catalog/engines");
    expect(play.ada.complaints).toEqual([]);
  });

  it("keeps nothing of what was written in the browser once the page is left", async () => {
    await play.ada.open(`${play.base}/translate`);
    await play.ada.fill("Text", "A secret for nobody else.");
    await play.ada.open(play.base.replace("/playground", "/keys"));
    const kept = (await play.ada.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")) as string;
    expect(kept).not.toMatch(/secret|parl_/);
    await play.ada.open(`${play.base}/translate`);
    expect(await play.ada.page.getByLabel("Text").inputValue()).not.toContain("secret");
  });
}
