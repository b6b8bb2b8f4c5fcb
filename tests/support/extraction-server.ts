import { afterAll } from "vitest";
import { call, form, type Reply } from "./call.ts";
import { startServer, type TestServer } from "./start-server.ts";

export interface ExtractionServer extends TestServer {
  /** Where the extraction service begins. */
  base: string;
  extract(fields: Record<string, string | Blob>, query?: string, path?: string): Promise<Reply>;
}

/** A server whose default workspace may extract as much as it likes, and which calls back to this machine. */
async function startExtractionServer(): Promise<ExtractionServer> {
  const server = await startServer({ SVC_WEBHOOKS_PRIVATE: "1", SVC_EDGE_UPLOAD_LIMIT: "25MB" });
  const base = `${server.url}/extraction`;
  await server.admin("workspaces set-plan", { name: "default", extraction: "Enterprise" });
  return {
    ...server,
    base,
    extract: (fields, query = "", path = "/v1/extract") =>
      call(`${base}${path}${query}`, { key: server.key, body: form(fields) }),
  };
}

/** Such a server for all tests of a file, after which it ends. */
export async function openExtractionServer(): Promise<ExtractionServer> {
  const server = await startExtractionServer();
  afterAll(() => server.close());
  return server;
}
