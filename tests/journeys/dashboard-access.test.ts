import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RouteContract } from "../../src/dashboard/contract/route.ts";
import { type RouteName, routes } from "../../src/dashboard/contract/routes.ts";
import type { DashboardClient } from "../support/dashboard-client.ts";
import { type DashboardServer, type People, startDashboardServer } from "../support/dashboard-server.ts";
import { databaseKinds } from "../support/databases.ts";

/** Routes for which nobody has to be signed in, by name: a new one must be put here on purpose. */
const publicRoutes: RouteName[] = [
  "getStart",
  "signIn",
  "checkSetupLink",
  "setUp",
  "checkInvitation",
  "acceptInvitation",
  "checkResetLink",
  "resetPassword",
];

/** Whoever is let in here is no longer who they were; dashboard.test.ts and dashboard-accounts.test.ts tell what they do. */
const endings: RouteName[] = ["signOut", "leaveWorkspace"];

type Persona = "signed out" | "foreigner" | "member" | "admin" | "owner" | "installation owner";

/** The status that keeps somebody out; undefined lets them in. */
function refusalFor({ access }: RouteContract, persona: Persona): number | undefined {
  if (access === "public") return undefined;
  if (persona === "signed out") return 401;
  if (access === "session") return undefined;
  if (access === "installation") return persona === "installation owner" ? undefined : 403;
  if (persona === "foreigner") return 404;
  const ladder = ["member", "admin", "owner"];
  const rank = persona === "installation owner" ? 2 : ladder.indexOf(persona);
  return rank >= ladder.indexOf(access) ? undefined : 403;
}

const names = Object.keys(routes) as RouteName[];

describe.each(databaseKinds)("who may do what in the dashboard, on the %s database", (kind) => {
  let server: DashboardServer;
  let people: People;
  let personas: Record<Persona, DashboardClient>;
  beforeAll(async () => {
    server = await startDashboardServer(kind);
    people = await server.people();
    const { owner, admin, member, foreigner } = people;
    personas = { "signed out": server.browser(), foreigner, member, admin, owner, "installation owner": server.root };
  });
  afterAll(() => server.close());

  it("the routes that anybody may call are these", () => {
    expect(names.filter((name) => routes[name].access === "public").sort()).toEqual([...publicRoutes].sort());
  });

  it.each(names)("%s", async (name) => {
    const contract: RouteContract = routes[name];
    const { workspaceId } = people;
    for (const persona of Object.keys(personas) as Persona[]) {
      const refusal = refusalFor(contract, persona);
      if (refusal === undefined && endings.includes(name)) continue;
      // Without a body nothing is done: who is let in is told what is missing, who is not never hears of it.
      const { status, json } = await personas[persona].ask(name, { params: { workspaceId } });
      const seen = { persona, status };
      if (refusal !== undefined) {
        expect(seen).toEqual({ persona, status: refusal });
        expect(json.error.message).toMatch(/^[A-Z].*\.$/);
        continue;
      }
      // Only the ids below the workspace are made up.
      const isMadeUp = /:(?!workspaceId)/.test(contract.path);
      const served = contract.body ? [200, 400] : [200];
      expect(seen).toEqual({ persona, status: expect.toBeOneOf(isMadeUp ? [...served, 404] : served) });
    }
  });

  it("an id of another workspace looks like one that does not exist", async () => {
    const { owner, member, foreigner, workspaceId } = people;
    const own = await foreigner.call("getStart", {});
    const foreign = own.workspaces[0]!.id;
    const { key } = await owner.call("createKey", {
      params: { workspaceId },
      body: { name: "theirs", scopes: ["speech"] },
    });
    const invited = await owner.call("createInvitation", {
      params: { workspaceId },
      body: { email: "elsewhere@example.org", role: "member" },
    });
    const theirs = (await member.call("getStart", {})).user!.id;
    const ask = (name: RouteName, ids: object, body?: object) =>
      foreigner.ask(name, { params: { workspaceId: foreign, ...ids }, ...(body ? { body } : {}) });
    const answers = [
      await ask("updateKey", { keyId: key.id }, { name: "mine" }),
      await ask("revokeKey", { keyId: key.id }),
      await ask("revokeInvitation", { invitationId: invited.invitation.id }),
      await ask("resendInvitation", { invitationId: invited.invitation.id }),
      await ask("changeRole", { userId: theirs }, { role: "member" }),
      await ask("removeMember", { userId: theirs }),
      await ask("createResetLink", { userId: theirs }, {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    const { sessions } = await member.call("listSessions", {});
    const stolen = await foreigner.ask("revokeSession", { params: { sessionId: sessions[0]!.id } });
    expect(stolen.status).toBe(404);
    expect((await owner.call("listKeys", { params: { workspaceId } })).keys[0]).toMatchObject({
      name: "theirs",
      state: "active",
    });
  });
});
