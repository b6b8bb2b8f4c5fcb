import { afterAll } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "./fake-upstream.ts";
import { type GatewayServer, startGatewayServer } from "./gateway-server.ts";

/** An upstream for all tests of a file, after which it ends. */
export async function openUpstream(models?: object[]): Promise<FakeUpstream> {
  const upstream = await startFakeUpstream(models);
  afterAll(() => upstream.close());
  return upstream;
}

/** A server in front of these upstreams, for all tests of a file. It ends before they do. */
export async function openGateway(upstreams: FakeUpstream[], env: Record<string, string> = {}): Promise<GatewayServer> {
  const urls = upstreams.map(({ url }) => url).join(",");
  const server = await startGatewayServer({ ...(urls ? { SVC_GATEWAY_UPSTREAM_URL: urls } : {}), ...env });
  afterAll(() => server.close());
  return server;
}
