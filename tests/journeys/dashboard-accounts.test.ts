import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeAt } from "../../src/dashboard/sign-in/totp.ts";
import { tokenOf } from "../support/dashboard-client.ts";
import { type DashboardServer, emailOf, password, startDashboardServer } from "../support/dashboard-server.ts";
import { databaseKinds } from "../support/databases.ts";

const anotherPassword = "quite another passphrase";

describe.each(databaseKinds)("accounts of the dashboard on the %s database", (kind) => {
  let server: DashboardServer;
  beforeAll(async () => {
    server = await startDashboardServer(kind);
  });
  afterAll(() => server.close());

  describe("the first run", () => {
    it("made the owner of the installation and of its first workspace", async () => {
      const start = await server.root.call("getStart", {});
      expect(start).toMatchObject({ isSetUp: true, user: { isInstallationOwner: true, email: "root@example.org" } });
      expect(start.workspaces).toMatchObject([{ name: "default", role: "owner" }]);
      expect(start.installation.services.map(({ name }) => name)).toEqual(["voice", "gateway", "extraction"]);
    });

    it("cannot be repeated: there is no other link, and no other way to an account", async () => {
      await expect(server.admin("setup-link", {})).rejects.toThrow("has its owner already");
      const stranger = server.browser();
      const body = { token: "x".repeat(43), name: "Eve", email: "eve@example.org", password };
      expect(await stranger.ask("setUp", { body })).toMatchObject({
        status: 404,
        json: { error: { code: "link_expired" } },
      });
      expect((await stranger.ask("acceptInvitation", { body })).status).toBe(404);
      expect((await stranger.call("getStart", {})).user).toBeNull();
    });
  });

  describe("sign-in", () => {
    it("answers the same for a wrong password and for nobody", async () => {
      const browser = server.browser();
      const wrong = await browser.ask("signIn", { body: { email: "root@example.org", password: "wrong password" } });
      const nobody = await browser.ask("signIn", { body: { email: "nobody@example.org", password: "wrong password" } });
      expect(wrong).toMatchObject({ status: 401, json: { error: { code: "wrong_credentials" } } });
      expect(nobody.text).toBe(wrong.text);
      expect(nobody.status).toBe(wrong.status);
    });

    it("gives a new cookie each time that scripts cannot read, and ends the one before", async () => {
      const browser = server.browser();
      browser.cookie = `parlance_session=${"f".repeat(43)}`;
      const body = { email: "root@example.org", password };
      await browser.call("signIn", { body });
      expect(browser.lastCookie).toMatch(/^parlance_session=\w{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
      const first = browser.cookie;
      expect(first).not.toContain("fff");
      await browser.call("signIn", { body });
      expect(browser.cookie).not.toBe(first);
      const thief = server.browser();
      thief.cookie = first;
      expect((await thief.ask("listSessions")).status).toBe(401);
      await browser.call("signOut", {});
      expect(browser.cookie).toBe("");
    });

    it("is slowed down after five failures in one place, and only there", async () => {
      const guesser = server.browser();
      const guess = () => guesser.ask("signIn", { body: { email: "root@example.org", password: "guess guess" } });
      for (let n = 0; n < 5; n++) expect((await guess()).status).toBe(401);
      const stopped = await guess();
      expect(stopped).toMatchObject({ status: 429, json: { error: { code: "rate_limited" } } });
      expect(Number(stopped.headers.get("retry-after"))).toBeGreaterThan(0);
      const elsewhere = server.browser();
      const body = { email: "root@example.org", password };
      expect((await elsewhere.ask("signIn", { body })).status).toBe(200);
    });

    it("is only for pages of this server, whatever a cookie says", async () => {
      const { root } = server;
      const body = { name: "Robbed" };
      for (const headers of [
        { origin: "https://evil.example" },
        { origin: "null" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
      ]) {
        const answer = await root.ask("updateProfile", { body }, headers);
        expect(answer).toMatchObject({ status: 403, json: { error: { code: "foreign_origin" } } });
      }
      const readable = await root.ask("getStart", {}, { origin: "https://evil.example" });
      expect(readable.headers.get("access-control-allow-origin")).toBeNull();
      expect(readable.headers.get("cache-control")).toBe("no-store");
      expect((await root.call("getStart", {})).user!.name).toBe("Root");
    });

    it("takes no API key, and the APIs take no cookie", async () => {
      const browser = server.browser();
      const withKey = await browser.ask("listSessions", {}, { authorization: `Bearer ${server.key}` });
      expect(withKey.status).toBe(401);
      const { cookie } = server.root;
      for (const path of ["/v1/voices", "/gateway/v1/models", "/extraction/v1/templates"]) {
        const answer = await fetch(server.url + path, { headers: { cookie } });
        expect([path, answer.status]).toEqual([path, 401]);
      }
    });

    it("wants bodies that are small, and says which field is wrong", async () => {
      const browser = server.browser();
      const large = await browser.ask("signIn", { body: { email: "a@example.org", password: "x".repeat(70_000) } });
      expect(large).toMatchObject({ status: 413, json: { error: { code: "too_large" } } });
      const long = await browser.ask("signIn", { body: { email: "a@example.org", password: "x".repeat(300) } });
      expect(long).toMatchObject({ status: 400, json: { error: { code: "invalid_request", field: "password" } } });
      const nowhere = await browser.send("GET", "/dashboard/api/nothing");
      expect(nowhere).toMatchObject({ status: 404, json: { error: { code: "not_found" } } });
    });
  });

  describe("an account", () => {
    it("changes its password, which signs every other browser out", async () => {
      const { member } = await server.people();
      const email = await emailOf(member);
      const other = server.browser();
      await other.call("signIn", { body: { email, password } });
      expect((await member.call("listSessions", {})).sessions).toHaveLength(2);
      const wrong = await member.ask("changePassword", { body: { current: "not this one", next: anotherPassword } });
      expect(wrong).toMatchObject({ status: 400, json: { error: { code: "wrong_credentials", field: "current" } } });
      const weak = await member.ask("changePassword", { body: { current: password, next: "password123" } });
      expect(weak).toMatchObject({ status: 400, json: { error: { field: "next" } } });
      await member.call("changePassword", { body: { current: password, next: anotherPassword } });
      expect((await other.ask("listSessions")).status).toBe(401);
      expect((await member.call("listSessions", {})).sessions).toHaveLength(1);
      expect((await other.ask("signIn", { body: { email, password } })).status).toBe(401);
      await other.call("signIn", { body: { email, password: anotherPassword } });
    });

    it("lists its browsers and signs one of them out", async () => {
      const { member } = await server.people();
      const other = server.browser();
      await other.call("signIn", { body: { email: await emailOf(member), password } });
      const { sessions } = await member.call("listSessions", {});
      const theirs = sessions.find(({ isCurrent }) => !isCurrent)!;
      expect(theirs.address).toBe(other.address);
      await member.call("revokeSession", { params: { sessionId: theirs.id } });
      expect((await other.ask("listSessions")).status).toBe(401);
    });

    it("asks for a second factor once it is confirmed, takes each code once, and recovery codes instead", async () => {
      const { member } = await server.people();
      const email = await emailOf(member);
      const { secret, uri } = await member.call("beginSecondFactor", { body: { password } });
      expect(uri).toContain(`secret=${secret}`);
      const step = Math.floor(Date.now() / 30_000);
      const wrong = await member.ask("confirmSecondFactor", { body: { code: "000000" } });
      expect(wrong).toMatchObject({ status: 400, json: { error: { code: "wrong_code", field: "code" } } });
      const code = codeAt(secret, step);
      const { recoveryCodes } = await member.call("confirmSecondFactor", { body: { code } });
      expect(recoveryCodes).toHaveLength(10);

      const browser = server.browser();
      const body = { email, password };
      expect(await browser.call("signIn", { body })).toEqual({ status: "second_factor_required" });
      expect(browser.cookie).toBe("");
      expect((await browser.ask("signIn", { body: { ...body, code } })).json.error.code).toBe("wrong_code");
      const next = codeAt(secret, step + 1);
      expect(await browser.call("signIn", { body: { ...body, code: next } })).toEqual({ status: "signed_in" });
      const recovery = { ...body, code: recoveryCodes[0]!.toUpperCase() };
      expect(await browser.call("signIn", { body: recovery })).toEqual({ status: "signed_in" });
      expect((await browser.ask("signIn", { body: recovery })).json.error.code).toBe("wrong_code");

      const removal = { password, code: recoveryCodes[1]! };
      await browser.call("removeSecondFactor", { body: removal });
      const again = server.browser();
      expect(await again.call("signIn", { body })).toEqual({ status: "signed_in" });
    });

    it("gets a new password by a link that works once and signs everybody out", async () => {
      const { member, admin, workspaceId } = await server.people();
      const { user } = await member.call("getStart", {});
      const made = await admin.call("createResetLink", { params: { workspaceId, userId: user!.id }, body: {} });
      expect(made.url).toMatch(/^http:\/\/localhost:\d+\/reset#\w{43}$/);
      const body = { token: tokenOf(made.url), password: anotherPassword };
      const browser = server.browser();
      expect(await browser.call("checkResetLink", { body })).toMatchObject({ email: user!.email });
      await browser.call("resetPassword", { body });
      expect((await member.ask("listSessions")).status).toBe(401);
      expect((await browser.ask("resetPassword", { body })).json.error.code).toBe("link_expired");
      await browser.call("signIn", { body: { email: user!.email, password: anotherPassword } });
      const fromCli = await server.admin<{ url: string }>("users reset-link", { email: user!.email });
      await browser.call("resetPassword", { body: { token: tokenOf(fromCli.url), password } });
    });

    it("of somebody with more rights elsewhere cannot be taken over by an admin's link", async () => {
      const { admin, owner, workspaceId } = await server.people();
      const { user } = await owner.call("getStart", {});
      const link = await admin.ask("createResetLink", { params: { workspaceId, userId: user!.id }, body: {} });
      expect(link.status).toBe(403);
      const { foreigner } = await server.people();
      const email = await emailOf(foreigner);
      const invited = await owner.call("createInvitation", {
        params: { workspaceId },
        body: { email, role: "member" },
      });
      await foreigner.call("acceptInvitation", { body: { token: tokenOf(invited.url) } });
      const { user: both } = await foreigner.call("getStart", {});
      const params = { workspaceId, userId: both!.id };
      expect((await owner.ask("createResetLink", { params, body: {} })).status).toBe(403);
      expect((await server.root.ask("createResetLink", { params, body: {} })).status).toBe(200);
    });
  });

  describe("invitations", () => {
    it("bring one person in once, and only the one they name", async () => {
      const { owner, foreigner, workspaceId } = await server.people();
      const email = "new.person@example.org";
      const { url } = await owner.call("createInvitation", { params: { workspaceId }, body: { email, role: "admin" } });
      const token = tokenOf(url);
      const browser = server.browser();
      expect(await browser.call("checkInvitation", { body: { token } })).toMatchObject({
        email,
        role: "admin",
        hasAccount: false,
      });
      expect((await foreigner.ask("acceptInvitation", { body: { token } })).status).toBe(403);
      expect((await browser.ask("acceptInvitation", { body: { token } })).json.error.field).toBe("name");
      const tries = await Promise.all(
        [1, 2].map(() => server.browser().ask("acceptInvitation", { body: { token, name: "New", password } })),
      );
      expect(tries.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
      expect((await browser.ask("checkInvitation", { body: { token } })).json.error.code).toBe("link_expired");
    });

    it("that are revoked or sent again no longer work, and the new one does", async () => {
      const { admin, workspaceId } = await server.people();
      const params = { workspaceId };
      const body = { email: "later@example.org", role: "member" as const };
      const first = await admin.call("createInvitation", { params, body });
      const second = await admin.call("resendInvitation", {
        params: { workspaceId, invitationId: first.invitation.id },
      });
      const check = async (url: string) =>
        (await server.browser().ask("checkInvitation", { body: { token: tokenOf(url) } })).status;
      expect([await check(first.url), await check(second.url)]).toEqual([404, 200]);
      await admin.call("revokeInvitation", { params: { workspaceId, invitationId: second.invitation.id } });
      expect(await check(second.url)).toBe(404);
      const asOwner = await admin.ask("createInvitation", { params, body: { ...body, role: "owner" } });
      expect(asOwner.status).toBe(403);
    });
  });
});
