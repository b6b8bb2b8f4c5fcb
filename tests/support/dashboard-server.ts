import type { Role } from "../../src/dashboard/contract/fields.ts";
import { DashboardClient, tokenOf } from "./dashboard-client.ts";
import { createPostgresDatabase } from "./databases.ts";
import { startServer, type TestServer } from "./start-server.ts";

export const password = "a long enough passphrase";

export interface DashboardServer extends TestServer {
  /** A browser at an address of its own. */
  browser(): DashboardClient;
  /** The owner of the installation, signed in. */
  root: DashboardClient;
  /** A workspace with one person of each role, all signed in, and somebody who is no part of it. */
  people(): Promise<People>;
  /** Somebody new who was invited to a workspace with a role, signed in. */
  invite(by: DashboardClient, workspaceId: string, role: Role, email?: string): Promise<DashboardClient>;
}

export interface People {
  workspaceId: string;
  owner: DashboardClient;
  admin: DashboardClient;
  member: DashboardClient;
  foreigner: DashboardClient;
}

let count = 0;

export async function startDashboardServer(
  kind: "embedded" | "postgres",
  env: Record<string, string> = {},
): Promise<DashboardServer> {
  const postgres = kind === "postgres" ? await createPostgresDatabase() : undefined;
  const server = await startServer({
    SVC_TRUSTED_PROXIES: "127.0.0.1",
    ...(postgres ? { SVC_DATABASE_URL: postgres.url } : {}),
    ...env,
  });
  const browser = () => {
    count += 1;
    return new DashboardClient(server.url, `203.0.${Math.floor(count / 250)}.${count % 250}`);
  };
  const root = browser();
  const { url } = await server.admin<{ url: string }>("setup-link", {});
  await root.call("setUp", { body: { token: tokenOf(url), name: "Root", email: "root@example.org", password } });

  async function invite(
    by: DashboardClient,
    workspaceId: string,
    role: Role,
    given?: string,
  ): Promise<DashboardClient> {
    count += 1;
    const email = given ?? `${role}${count}@example.org`;
    const made = await by.call("createInvitation", { params: { workspaceId }, body: { email, role } });
    const person = browser();
    await person.call("acceptInvitation", { body: { token: tokenOf(made.url), name: `Person ${count}`, password } });
    return person;
  }

  return {
    ...server,
    browser,
    root,
    invite,
    async people() {
      count += 1;
      const { id } = await root.call("createWorkspace", { body: { name: `Acme ${count}` } });
      const other = await root.call("createWorkspace", { body: { name: `Other ${count}` } });
      return {
        workspaceId: id,
        owner: await invite(root, id, "owner"),
        admin: await invite(root, id, "admin"),
        member: await invite(root, id, "member"),
        foreigner: await invite(root, other.id, "owner"),
      };
    },
    async close() {
      await server.close();
      await postgres?.drop();
    },
  };
}

/** Who somebody signed in as. */
export async function emailOf(person: DashboardClient): Promise<string> {
  return (await person.call("getStart", {})).user!.email;
}
