import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeAt } from "../../src/dashboard/sign-in/totp.ts";
import { call } from "../support/call.ts";
import {
  type Installation,
  openInstallation,
  owner,
  setUpAsOwner,
  workspaceOf,
} from "../support/dashboard/installation.ts";
import { otherPaths, pagesOf, workspacePaths } from "../support/dashboard/pages.ts";
import { Visitor } from "../support/dashboard/visitor.ts";
import { databaseKinds } from "../support/databases.ts";
import { eventually } from "../support/eventually.ts";
import { whyNoBrowser } from "../support/find-browser.ts";

const run = promisify(execFile);
const colleague = { name: "Grace Hopper", email: "grace@example.com", password: "nanoseconds of wire in a hand" };

describe.skipIf(whyNoBrowser())("the dashboard in a browser", () => {
  it("has a line in the list of tested pages for every page of the navigation", () => {
    const files = ["registry.ts", "playground/pages.ts"];
    const registry = files
      .map((file) => readFileSync(new URL(`../../web/dashboard/pages/${file}`, import.meta.url), "utf8"))
      .join("");
    const paths = [...registry.matchAll(/\bpath: "([^"]+)"/g)].map(([, path]) => path);
    expect(paths.toSorted()).toEqual([...workspacePaths, ...otherPaths].toSorted());
  });

  describe.each(databaseKinds)("on the %s database", (kind) => {
    let home: Installation;
    let ada: Visitor;
    let workspaceId: string;
    let signedIn: Awaited<ReturnType<Visitor["saved"]>>;

    beforeAll(async () => {
      home = await openInstallation(kind);
      ada = await setUpAsOwner(home);
      workspaceId = workspaceOf(ada);
      signedIn = await ada.saved();
    });
    afterAll(() => home?.close());

    /** What does not depend on the database is told once. */
    const onceIt = it.runIf(kind === "embedded");

    const arrive = (options = {}) => Visitor.arrive(home.browser, home.url, options);

    it("leads from the set-up link to a welcome page whose first requests show their replies", async () => {
      await ada.page.getByText("Hello, Ada").waitFor();
      const expected: [string, string, RegExp][] = [
        ["Translate", "blockquote", /estación/i],
        ["Speak a sentence", "audio", /^$/],
        ["Hear it back", "blockquote", /spoken on your own machine/i],
        ["Ask a model", "blockquote", /\w/],
        ["Read an invoice", "dl", /invoice/i],
      ];
      // What engines answer does not depend on the database.
      for (const [name, where, text] of kind === "embedded" ? expected : expected.slice(0, 1)) {
        const card = ada.page.getByRole("region", { name });
        await card.getByRole("button").first().click();
        // The first request of an engine loads its model.
        await card.locator(`${where}, [role=alert]`).first().waitFor({ state: "attached", timeout: 300_000 });
        expect([name, await card.getByRole("alert").allInnerTexts()]).toEqual([name, []]);
        await eventually(() => card.locator(where).innerText()).toMatch(text);
      }
      expect(ada.complaints).toEqual([]);
    });

    onceIt("says that a set-up link works once", async () => {
      const late = await arrive();
      await late.open("/setup#aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
      await eventually(() => late.text()).toContain("Already set up");
      await late.leave();
    });

    onceIt("opens every page without complaint in both themes, and without scrolling sideways on a phone", async () => {
      const visitor = await arrive({ state: signedIn });
      const stranger = await arrive();
      const problems: string[] = [];
      const look = async (who: Visitor, path: string) => {
        await who.open(path);
        problems.push(...(await who.problems()).map((problem) => `${path}: ${problem}`));
      };
      // Those of the playground are looked at where their stories are told.
      for (const path of pagesOf(workspaceId).filter((one) => !one.includes("/playground"))) await look(visitor, path);
      await look(visitor, `/w/${workspaceId}/keys?create=yes`);
      await visitor.page.keyboard.press("Escape");
      await visitor.page.keyboard.press("Control+k");
      await visitor.page.getByRole("combobox").waitFor();
      problems.push(...(await visitor.problems()));
      const link = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
      for (const path of ["/", "/sign-in", `/invite#${link}`, `/reset#${link}`]) await look(stranger, path);
      expect([...problems, ...visitor.complaints, ...stranger.complaints]).toEqual([]);
      await Promise.all([visitor.leave(), stranger.leave()]);
    });

    onceIt("takes less than 200 kB of compressed script for the first page, signed in or not", async () => {
      for (const visitor of [await arrive(), await arrive({ state: signedIn })]) {
        let bytes = 0;
        visitor.page.on("response", (response) => {
          if (response.request().resourceType() === "script") bytes += Number(response.headers()["content-length"]);
        });
        await visitor.open("/");
        expect(bytes).toBeGreaterThan(50_000);
        expect(bytes).toBeLessThan(200_000);
        await visitor.leave();
      }
    });

    onceIt("goes to a page by typing a part of its name", async () => {
      await ada.open(`/w/${workspaceId}`);
      await ada.page.keyboard.press("Control+k");
      await ada.page.getByRole("combobox").fill("second");
      await ada.page.keyboard.press("Enter");
      await ada.page.waitForURL("**/account/security");
    });

    it("makes a key whose snippet works when pasted, and revokes it at once", async () => {
      await ada.open(`/w/${workspaceId}/keys?create=yes`);
      await ada.fill("Name", "from a browser");
      await ada.page.getByRole("checkbox", { name: /^gateway:read/ }).check();
      await ada.page.getByRole("checkbox", { name: /^translate/ }).check();
      await ada.page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
      const dialog = ada.page.getByRole("dialog", { name: "Your new key" });
      const secret = await dialog.locator("code").first().innerText();
      const snippet = await dialog.locator("pre").first().innerText();
      expect(snippet).toContain(secret);
      const { stdout } = await run("bash", ["-c", snippet]);
      expect(JSON.parse(stdout).choices[0].message.content).toMatch(/\w/);
      await ada.press("I have copied it");

      const row = ada.page.getByRole("row", { name: /from a browser/ });
      await row.getByRole("button", { name: "Actions for from a browser" }).click();
      await ada.page.getByRole("menuitem", { name: "Revoke" }).click();
      await ada.press("Revoke key");
      await row.waitFor({ state: "detached" });
      const ask = () => call(`${home.server.url}/gateway/v1/models`, { key: secret });
      await expect.poll(async () => (await ask()).status).toBe(401);
      expect(ada.complaints).toEqual([]);
    });

    it("invites somebody, who sees what a member may and nothing else", async () => {
      await ada.open(`/w/${workspaceId}/members`);
      await ada.press("Invite");
      await ada.fill("E-mail", colleague.email);
      await ada.press("Make invitation link");
      const link = await ada.page.getByRole("dialog").locator("code").innerText();
      await ada.press("Done");

      const grace = await arrive();
      await grace.open(link);
      await eventually(() => grace.text()).toContain("invited grace@example.com to be a member");
      await grace.fill("Your name", colleague.name);
      await grace.fill("Password", colleague.password);
      await grace.page.getByRole("button", { name: /^Join/ }).click();
      await grace.page.waitForURL(/\/w\//);
      await grace.settle();
      const navigation = grace.page.getByRole("navigation", { name: "Pages" });
      await eventually(() => navigation.innerText()).toContain("API keys");
      expect(await navigation.innerText()).not.toMatch(/Audit|Installation|Health/);
      await grace.open("/admin");
      await grace.page.waitForURL((url) => !url.pathname.startsWith("/admin"));
      await grace.open(`/w/${workspaceId}/members`);
      await grace.page.getByRole("row", { name: owner.email }).waitFor();
      expect(await grace.page.getByRole("button", { name: "Invite" }).count()).toBe(0);
      expect(grace.complaints).toEqual([]);
      await grace.leave();
    });

    onceIt("shows what hangs on somebody before they are removed, and asks what becomes of their keys", async () => {
      const grace = await arrive();
      await grace.open("/sign-in");
      await grace.fill("E-mail", colleague.email);
      await grace.fill("Password", colleague.password);
      await grace.press("Sign in");
      await grace.page.waitForURL(/\/w\//);
      await grace.open(`/w/${workspaceId}/keys?create=yes`);
      await grace.fill("Name", "phone line");
      await grace.page.getByRole("checkbox", { name: /^translate/ }).check();
      await grace.page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
      await grace.press("I have copied it");

      await ada.open(`/w/${workspaceId}/members`);
      await ada.press(`Actions for ${colleague.name}`);
      await ada.page.getByRole("menuitem", { name: "Remove from the workspace" }).click();
      const dialog = ada.page.getByRole("dialog", { name: `Remove ${colleague.name}?` });
      await dialog.getByText(/Their 1 key may be in use: phone line/).waitFor();
      await dialog.getByRole("button", { name: "Remove" }).click();
      await dialog.getByText("Choose what becomes of the keys.").waitFor();
      await dialog.getByText("Let them work on").click();
      await dialog.getByRole("button", { name: "Remove" }).click();
      await ada.page.getByRole("row", { name: colleague.email }).waitFor({ state: "detached" });
      await ada.open(`/w/${workspaceId}/keys`);
      const row = ada.page.getByRole("row", { name: /phone line/ });
      await eventually(() => row.innerText()).toContain(owner.name);
      expect(ada.complaints).toEqual([]);
      await grace.leave();
    });

    onceIt("tells who tries passwords too often to wait", async () => {
      const thief = await arrive();
      await thief.open("/sign-in");
      const alert = thief.page.getByRole("alert");
      for (let tries = 0; tries < 12; tries++) {
        await thief.fill("E-mail", colleague.email);
        await thief.fill("Password", `guess number ${tries}`);
        await thief.press("Sign in");
        await alert.waitFor();
        if (/wait|again in|too many/i.test(await alert.innerText())) break;
        await thief.page.reload();
        await thief.settle();
      }
      expect(await alert.innerText()).toMatch(/wait|again in|too many/i);
      await thief.leave();
    });

    onceIt("signs out, and leads back to the page that was wanted", async () => {
      const visitor = await arrive();
      await visitor.open(`/w/${workspaceId}/usage`);
      await visitor.page.waitForURL(/sign-in/);
      await visitor.fill("E-mail", owner.email);
      await visitor.fill("Password", owner.password);
      await visitor.press("Sign in");
      await visitor.page.waitForURL(/\/usage/);
      await visitor.press(`Account of ${owner.name}`);
      await visitor.page.getByRole("menuitem", { name: "Sign out" }).click();
      await visitor.page.waitForURL(/sign-in/);
      await visitor.open(`/w/${workspaceId}/keys`);
      await visitor.page.waitForURL(/sign-in/);
      await visitor.leave();
    });

    it("asks for the second factor at sign-in once it is on", async () => {
      const visitor = await arrive({ state: signedIn });
      await visitor.open("/account/security");
      await visitor.press("Turn on");
      await visitor.fill("Password", owner.password);
      await visitor.press("Continue");
      const dialog = visitor.page.getByRole("dialog");
      await dialog.getByRole("img", { name: "QR code with the secret" }).waitFor();
      const secret = await dialog.locator("code").innerText();
      await visitor.fill("Code", codeAt(secret, Math.floor(Date.now() / 30_000)));
      await dialog.getByRole("button", { name: "Turn on" }).click();
      await visitor.page.getByRole("dialog", { name: "Recovery codes" }).waitFor();
      const recovery = await dialog.getByRole("listitem").first().innerText();
      await visitor.press("I have kept them");

      const again = await arrive();
      await again.open("/sign-in");
      await again.fill("E-mail", owner.email);
      await again.fill("Password", owner.password);
      await again.press("Sign in");
      await again.fill("Code", recovery);
      await again.press("Sign in");
      await again.page.waitForURL(/\/w\//);
      expect([...visitor.complaints, ...again.complaints]).toEqual([]);
      await Promise.all([visitor.leave(), again.leave()]);
    });
  });
});
