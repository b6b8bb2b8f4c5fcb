import { call } from "./call.ts";
import { startServer, type TestServer } from "./start-server.ts";

export interface GatewayServer extends TestServer {
  base: string;
  /** A workspace of its own with this much money, and a key for it. */
  newAccount(dollars: string | undefined): Promise<{ name: string; key: string }>;
  balance(key: string): Promise<string>;
}

let count = 0;

export async function startGatewayServer(env: Record<string, string>): Promise<GatewayServer> {
  const server = await startServer({ SVC_GATEWAY_RATE_PER_MINUTE: "1000000", ...env });
  const base = `${server.url}/gateway/v1`;
  return {
    ...server,
    base,
    async newAccount(dollars) {
      count += 1;
      const name = `account ${count}`;
      await server.admin("workspaces create", { name });
      await server.admin("workspaces set-plan", { name, gateway: "PLUS" });
      if (dollars) await server.admin("credits grant", { workspace: name, amount: dollars });
      const { key } = await server.newKey(["gateway:read"], { workspace: name });
      return { name, key };
    },
    async balance(key) {
      return (await call(`${base}/credits`, { key })).json.balance;
    },
  };
}
