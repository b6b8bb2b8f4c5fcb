import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Role } from "../../src/dashboard/contract/fields.ts";
import { call } from "../support/call.ts";
import { type DashboardClient, tokenOf } from "../support/dashboard-client.ts";
import { type DashboardServer, emailOf, password, startDashboardServer } from "../support/dashboard-server.ts";
import { databaseKinds } from "../support/databases.ts";

const idOf = async (person: DashboardClient) => (await person.call("getStart", {})).user!.id;

describe.each(databaseKinds)("people who go, on the %s database", (kind) => {
  let server: DashboardServer;
  beforeAll(async () => {
    server = await startDashboardServer(kind);
  });
  afterAll(() => server.close());

  const invite = async (by: DashboardClient, workspaceId: string, email: string, role: Role) => {
    const body = { email, role, expiresInDays: 30 };
    return tokenOf((await by.call("createInvitation", { params: { workspaceId }, body })).url);
  };
  const resetLink = async (by: DashboardClient, workspaceId: string, userId: string) =>
    tokenOf((await by.call("createResetLink", { params: { workspaceId, userId }, body: {} })).url);
  const statusOf = async (name: "checkInvitation" | "checkResetLink", token: string) =>
    (await server.browser().ask(name, { body: { token } })).status;
  const accept = (token: string) =>
    server.browser().ask("acceptInvitation", { body: { token, name: "Accomplice", password } });
  const reset = (token: string) =>
    server.browser().ask("resetPassword", { body: { token, password: "quite another passphrase" } });
  const worksWith = async (key: string) => (await call(`${server.url}/v1/voices`, { key })).status === 200;

  /** An admin who has prepared to stay: an invitation as admin, a reset link for a member, a key. */
  async function prepared() {
    const people = await server.people();
    const { admin, member, workspaceId } = people;
    const invitation = await invite(admin, workspaceId, `accomplice.${workspaceId}@example.org`, "admin");
    const link = await resetLink(admin, workspaceId, await idOf(member));
    const body = { name: "production", scopes: ["voices" as const] };
    const { secret, key } = await admin.call("createKey", { params: { workspaceId }, body });
    return { ...people, invitation, link, secret, key, adminId: await idOf(admin) };
  }

  it("leave no way back in: their invitations and reset links end with the membership", async () => {
    const { owner, workspaceId, adminId, invitation, link } = await prepared();
    await owner.call("removeMember", { params: { workspaceId, userId: adminId }, query: { keys: "end" } });
    expect([await statusOf("checkInvitation", invitation), await statusOf("checkResetLink", link)]).toEqual([404, 404]);
    expect((await accept(invitation)).json.error.code).toBe("link_expired");
    expect((await reset(link)).json.error.code).toBe("link_expired");
    expect((await owner.call("listInvitations", { params: { workspaceId } })).invitations).toEqual([]);
  });

  it("are shown with what hangs on them, and their keys end or go on as somebody decides", async () => {
    for (const keys of ["end", "transfer"] as const) {
      const { owner, workspaceId, adminId, secret, key } = await prepared();
      const params = { workspaceId, userId: adminId };
      expect(await owner.call("getDeparture", { params })).toMatchObject({
        invitations: 1,
        links: 1,
        keys: [{ id: key.id, name: "production" }],
      });
      const undecided = await owner.ask("removeMember", { params });
      expect([undecided.status, undecided.json.error]).toMatchObject([
        409,
        { code: "keys_undecided", message: expect.stringContaining("1 invitation, 1 link, 1 key.") },
      ]);
      expect((await owner.call("listMembers", { params })).members).toHaveLength(4);
      expect((await owner.ask("removeMember", { params, query: { keys: "keep" } })).status).toBe(400);

      await owner.call("removeMember", { params, query: { keys } });
      await expect.poll(() => worksWith(secret)).toBe(keys === "transfer");
      const [shown] = (await owner.call("listKeys", { params })).keys;
      const { user } = await owner.call("getStart", {});
      expect(shown).toMatchObject(keys === "end" ? { state: "revoked" } : { state: "active", createdBy: user!.name });
      const { entries } = await owner.call("listAudit", { params, query: { limit: 1 } });
      expect(entries[0]).toMatchObject({
        action: "member-removed",
        details: { keys, keyIds: [key.id], invitations: 1, links: 1 },
      });
    }
  });

  it("who leave by themselves decide about their keys too, which pass to the first owner", async () => {
    const { admin, owner, workspaceId, secret, key } = await prepared();
    const params = { workspaceId };
    expect((await admin.ask("leaveWorkspace", { params })).json.error.code).toBe("keys_undecided");
    await admin.call("leaveWorkspace", { params, query: { keys: "transfer" } });
    expect(await worksWith(secret)).toBe(true);
    const { keys } = await owner.call("listKeys", { params });
    expect(keys).toContainEqual(expect.objectContaining({ id: key.id, createdBy: "Root" }));
  });

  it("without keys go without a question, and members ask about nobody but themselves", async () => {
    const { owner, member, admin, workspaceId } = await server.people();
    const mine = { workspaceId, userId: await idOf(member) };
    const theirs = { workspaceId, userId: await idOf(admin) };
    expect(await member.call("getDeparture", { params: mine })).toEqual({ invitations: 0, links: 0, keys: [] });
    expect((await member.ask("getDeparture", { params: theirs })).status).toBe(403);
    expect((await owner.ask("removeMember", { params: mine })).status).toBe(200);
  });

  it("with a lower role lose what they may no longer make, and keep the rest", async () => {
    const { owner, root, workspaceId } = { ...(await server.people()), root: server.root };
    const second = await server.invite(root, workspaceId, "owner");
    const asOwner = await invite(second, workspaceId, `o.${workspaceId}@example.org`, "owner");
    const asMember = await invite(second, workspaceId, `m.${workspaceId}@example.org`, "member");
    const ownerLink = await resetLink(second, workspaceId, await idOf(owner));
    const params = { workspaceId, userId: await idOf(second) };
    await owner.call("changeRole", { params, body: { role: "admin" } });
    expect([
      await statusOf("checkInvitation", asOwner),
      await statusOf("checkInvitation", asMember),
      await statusOf("checkResetLink", ownerLink),
    ]).toEqual([404, 200, 404]);
    await owner.call("changeRole", { params, body: { role: "member" } });
    expect((await accept(asMember)).status).toBe(404);
  });

  it("who have risen since are out of reach of an old reset link, here and elsewhere", async () => {
    const { owner, admin, member, workspaceId } = await server.people();
    const memberId = await idOf(member);
    const link = await resetLink(admin, workspaceId, memberId);
    expect(await statusOf("checkResetLink", link)).toBe(200);
    await owner.call("changeRole", { params: { workspaceId, userId: memberId }, body: { role: "owner" } });
    expect([await statusOf("checkResetLink", link), (await reset(link)).status]).toEqual([404, 404]);
    // Back to the lower rank the link would do again; a workspace that the admin has no part in keeps him out.
    await owner.call("changeRole", { params: { workspaceId, userId: memberId }, body: { role: "member" } });
    expect(await statusOf("checkResetLink", link)).toBe(200);
    await member.call("createWorkspace", { body: { name: `Own of ${memberId}`.slice(0, 60).replaceAll("_", "-") } });
    expect((await reset(link)).status).toBe(404);
    await member.call("listSessions", {});
  });

  it("who belong nowhere any more are reset by whoever runs the installation alone", async () => {
    const { admin, member, workspaceId } = await server.people();
    const email = await emailOf(member);
    const link = await resetLink(admin, workspaceId, await idOf(member));
    await member.call("leaveWorkspace", { params: { workspaceId }, query: {} });
    expect((await reset(link)).status).toBe(404);
    const { url } = await server.admin<{ url: string }>("users reset-link", { email });
    expect((await reset(tokenOf(url))).status).toBe(200);
  });
});
