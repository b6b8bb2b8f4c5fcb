import type { AddressInfo } from "node:net";
import type { HttpApp } from "../platform/http/create-server.ts";
import type { Settings } from "../platform/settings/settings.ts";
import { StartError } from "./data-folder.ts";

/** Listens where the settings say, and returns the port. */
export async function listen(app: HttpApp, { server }: Settings): Promise<number> {
  try {
    await app.listen({ port: server.port, host: server.host });
  } catch (error) {
    throw explainPort(error, server.port, "SVC_PORT or --port", server.host);
  }
  return (app.server.address() as AddressInfo).port;
}

/** Keep-alive connections would hold the server open for ever, so idle ones are closed as they fall idle, and at the
 *  deadline all of them. */
export async function closeGracefully(app: HttpApp, deadlineMs: number): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), 100);
  const hard = setTimeout(() => app.server.closeAllConnections(), deadlineMs);
  await app.close();
  clearInterval(idle);
  clearTimeout(hard);
}

/** Why nobody can listen there, and which setting helps. */
export function explainPort(error: unknown, port: number, setting: string, host: string): StartError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return new StartError(`Port ${port} is taken. Stop what uses it, or set ${setting}.`);
  if (code === "EACCES") return new StartError(`Port ${port} may not be used by this user. Choose one above 1023.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new StartError(`This machine has no address "${host}". Set SVC_HOST.`);
  return new StartError(`The server cannot listen on ${host}:${port}: ${message}.`);
}
