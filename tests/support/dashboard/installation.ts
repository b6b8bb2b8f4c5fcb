import type { Browser } from "playwright-core";
import { tokenOf } from "../dashboard-client.ts";
import { createPostgresDatabase } from "../databases.ts";
import { startServer, type TestServer } from "../start-server.ts";
import { openBrowser, Visitor } from "./visitor.ts";

export const owner = { name: "Ada Lovelace", email: "ada@example.com", password: "analytical engines run on steam" };

export interface Installation {
  readonly server: TestServer;
  /** As people type it: cookies and the check of origins know this name. */
  readonly url: string;
  readonly browser: Browser;
  setupLink(): Promise<string>;
  close(): Promise<void>;
}

/** A server that nobody has signed in to yet, and a browser. */
export async function openInstallation(
  kind: "embedded" | "postgres",
  env = {},
  microphoneFile?: string,
): Promise<Installation> {
  const database = kind === "postgres" ? await createPostgresDatabase() : undefined;
  const server = await startServer({ ...(database ? { SVC_DATABASE_URL: database.url } : {}), ...env });
  const url = server.url.replace("127.0.0.1", "localhost");
  const browser = await openBrowser(microphoneFile);
  return {
    server,
    url,
    browser,
    // Next to PostgreSQL the command runs outside the server, which alone knows the port it got.
    setupLink: async () => `${url}/setup#${tokenOf((await server.admin<{ url: string }>("setup-link", {})).url)}`,
    async close() {
      await browser.close();
      await server.close();
      await database?.drop();
    },
  };
}

/** Goes through set-up as the owner; ends on the welcome page of the first workspace. */
export async function setUpAsOwner({ browser, url, setupLink }: Installation): Promise<Visitor> {
  const visitor = await Visitor.arrive(browser, url);
  await visitor.open(await setupLink());
  // Nobody sees this form again.
  visitor.complaints.push(...(await visitor.problems()));
  await visitor.fill("Your name", owner.name);
  await visitor.fill("E-mail", owner.email);
  await visitor.fill("Password", owner.password);
  await visitor.press("Create my account");
  await visitor.page.waitForURL(/\/w\//);
  await visitor.settle();
  return visitor;
}

export function workspaceOf(visitor: Visitor): string {
  return /\/w\/(\w+)/.exec(visitor.page.url())![1]!;
}
