// A picture of every page of the dashboard, in both themes and two widths, into screenshots/: `npm run screenshots [pattern of names]`.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettings } from "../src/platform/settings/settings.ts";
import { openInstallation, owner, setUpAsOwner, workspaceOf } from "../tests/support/dashboard/installation.ts";
import { pagesOf } from "../tests/support/dashboard/pages.ts";
import { seedUsage } from "../tests/support/dashboard/seed.ts";
import { type Theme, Visitor } from "../tests/support/dashboard/visitor.ts";

/** What is done on a page of the playground before its picture: the button that is pressed. Its reply takes as long as it takes. */
const presses: Record<string, string> = {
  speech: "Speak",
  voices: "Let both speak",
  translate: "Translate",
  chat: "Send",
  extraction: "Use a sample invoice",
  gateway: "Ask",
  embeddings: "Compare",
};

const wanted = new RegExp(process.argv[2] ?? "");
const folder = "screenshots";
const data = mkdtempSync(join(tmpdir(), "parlance-screenshots-"));
mkdirSync(folder, { recursive: true });
await seedUsage(readSettings({ SVC_DATA_DIR: data, SVC_LOG_LEVEL: "silent" }));
const home = await openInstallation("embedded", { SVC_DATA_DIR: data });
try {
  await pictureSetup();
  const ada = await setUpAsOwner(home);
  const workspaceId = workspaceOf(ada);
  await invite(ada, workspaceId);
  const state = await ada.saved();
  for (const theme of ["light", "dark"] as const) {
    for (const width of [1440, 390]) {
      const inside = await Visitor.arrive(home.browser, home.url, { theme, width, state });
      for (const path of [
        ...pagesOf(workspaceId),
        `/w/${workspaceId}/usage?split=key`,
        `/w/${workspaceId}/keys?create=yes`,
      ]) {
        await picture(inside, path, path.replace(`/w/${workspaceId}`, "workspace"), theme, width);
      }
      await inside.leave();
      const outside = await Visitor.arrive(home.browser, home.url, { theme, width });
      for (const path of ["/", "/sign-in"]) await picture(outside, path, path === "/" ? "landing" : path, theme, width);
      await outside.leave();
    }
  }
} finally {
  await home.close();
  rmSync(data, { recursive: true, force: true });
}
// Engines that installations share stay loaded, and would keep the process alive.
process.exit(0);

async function pictureSetup(): Promise<void> {
  const link = await home.setupLink();
  for (const theme of ["light", "dark"] as const) {
    for (const width of [1440, 390]) {
      const visitor = await Visitor.arrive(home.browser, home.url, { theme, width });
      await picture(visitor, link, "set-up", theme, width);
      await visitor.leave();
    }
  }
}

async function invite(ada: Visitor, workspaceId: string): Promise<void> {
  await ada.open(`/w/${workspaceId}/members`);
  for (const email of ["grace@example.com", "alan@example.com"]) {
    await ada.press("Invite");
    await ada.fill("E-mail", email);
    await ada.press("Make invitation link");
    await ada.press("Done");
  }
  console.log(`${owner.name} is set up`);
}

async function play({ page }: Visitor, path: string): Promise<void> {
  const name = presses[/playground\/(\w+)$/.exec(path)?.[1] ?? ""];
  if (!name) return;
  await page.getByRole("button", { name, exact: true }).click();
  await page
    .getByText(/^200 in/)
    .first()
    .waitFor({ timeout: 300_000 });
  // Where two were asked, the second may still be at work.
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached", timeout: 300_000 });
  if (path.endsWith("extraction")) await page.getByRole("img", { name: /^Page 1/ }).waitFor();
}

async function picture(visitor: Visitor, path: string, name: string, theme: Theme, width: number): Promise<void> {
  const file = `${name.replace(/^\//, "").replace(/[^a-z0-9-]+/g, "-")}-${theme}-${width}.png`;
  if (!wanted.test(file)) return;
  const { page } = visitor;
  const height = width < 600 ? 844 : 900;
  await page.setViewportSize({ width, height });
  await visitor.open(path);
  await play(visitor, path);
  // As tall as its content, so that what sticks to the window's edges reaches them in the picture too.
  const { height: content } = await visitor.measure();
  await page.setViewportSize({ width, height: Math.min(Math.max(height, content), 3000) });
  await page.waitForTimeout(200);
  await page.screenshot({ path: join(folder, file) });
  console.log(file);
}
