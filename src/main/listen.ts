import type { AddressInfo } from "node:net";
import type { HttpApp } from "../platform/http/create-server.ts";
import type { Settings } from "../platform/settings/settings.ts";
import { StartError } from "./data-folder.ts";

/** Listens where the settings say, and returns the port. */
export async function listen(app: HttpApp, { server }: Settings): Promise<number> {
  try {
    await app.listen({ port: server.port, host: server.host });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      throw new StartError(`Port ${server.port} is taken. Stop what uses it, or set SVC_PORT or --port.`);
    if (code === "EACCES")
      throw new StartError(`Port ${server.port} may not be used by this user. Choose one above 1023.`);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new StartError(`This machine has no address "${server.host}". Set SVC_HOST.`);
    throw new StartError(`The server cannot listen on ${server.host}:${server.port}: ${message}.`);
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
