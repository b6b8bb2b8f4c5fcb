import type { Start } from "../../../src/dashboard/contract/session.ts";

export type ServiceName = Start["installation"]["services"][number]["name"];

/** The path of a service on this site. The address for clients may be another host's: pages talk to the server they came from. */
export function pathOf(services: Start["installation"]["services"], name: ServiceName): string | undefined {
  const found = services.find((service) => service.name === name);
  return found && new URL(found.baseUrl).pathname.replace(/\/$/, "");
}

/** A request to one of the three services with a key. Throws an Error with the service's own words. */
export async function callService(path: string, key: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${key}`);
  const response = await fetch(path, { ...init, headers }).catch(() => {
    throw new Error("The server does not answer.");
  });
  if (response.ok) return response;
  const reply = await response.json().catch(() => undefined);
  // The services have one shape each: {error: {message}}, {error: "..."} and {message}.
  const words = reply?.error?.message ?? reply?.message ?? reply?.error;
  throw new Error(typeof words === "string" ? words : `Status ${response.status}`);
}

export function jsonRequest(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
