import type { Start } from "../../../src/dashboard/contract/session.ts";

export type ServiceName = Start["installation"]["services"][number]["name"];

/** A refusal of one of the three services, in its own words. */
export class ServiceError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The path of a service on this site. The address for clients may be another host's: pages talk to the server they came from. */
export function pathOf(services: Start["installation"]["services"], name: ServiceName): string | undefined {
  const found = services.find((service) => service.name === name);
  return found && new URL(found.baseUrl).pathname.replace(/\/$/, "");
}

/** A request to one of the three services with a key. Throws a ServiceError with the service's own words. */
export async function callService(path: string, key: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${key}`);
  const response = await fetch(path, { ...init, headers }).catch((error) => {
    if (init.signal?.aborted) throw error;
    throw new ServiceError(0, "The server does not answer.");
  });
  if (response.ok) return response;
  const text = await response.text().catch(() => "");
  throw new ServiceError(response.status, wordsOf(text) ?? `Status ${response.status}`);
}

/** The services have one shape each: {error: {message}}, {error: "..."} and {message}; the edge limit answers in plain text. */
function wordsOf(text: string): string | undefined {
  try {
    const reply = JSON.parse(text);
    const words = reply?.error?.message ?? reply?.message ?? reply?.error;
    return typeof words === "string" ? words : undefined;
  } catch {
    return text.length > 0 && text.length < 300 ? text : undefined;
  }
}

export function jsonRequest(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
