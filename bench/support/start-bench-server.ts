import { startServer, type TestServer } from "../../tests/support/start-server.ts";

/** A whole server with engines as they are shipped. Those of tests have one thread, because tests share their machine. */
export function startBenchServer(env: Record<string, string> = {}): Promise<TestServer> {
  return startServer({ SVC_ENGINE_THREADS: "0", ...env });
}
