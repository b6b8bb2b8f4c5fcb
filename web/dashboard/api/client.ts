import { apiBase, places } from "virtual:contract";
import type { RouteInput, RouteName, RouteReply } from "../../../src/dashboard/contract/routes.ts";

export type { RouteInput, RouteName, RouteReply };

/** A refusal of the server. Its message is written for people. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The field of the form that it is about. */
  readonly field: string | undefined;

  constructor(status: number, code: string, message: string, field?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

type Given = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };
/** Nothing has to be given where the route takes nothing. */
export type Input<Name extends RouteName> = keyof RouteInput<Name> extends never ? [] : [input: RouteInput<Name>];

/** Where a route stands with these parameters: for links, downloads and the `src` of media. */
export function addressOf<Name extends RouteName>(name: Name, ...[input]: Input<Name>): string {
  const { path } = places[name];
  const { params, query } = (input ?? {}) as Given;
  const filled = path.replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(String(params?.[part])));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== "") search.set(key, String(value));
  return `${apiBase}${filled}${search.size > 0 ? `?${search}` : ""}`;
}

/** Calls a route of the dashboard's API. Throws an ApiError. */
export async function call<Name extends RouteName>(name: Name, ...given: Input<Name>): Promise<RouteReply<Name>> {
  const { method } = places[name];
  const { body } = (given[0] ?? {}) as Given;
  const response = await fetch(addressOf(name, ...given), {
    method,
    credentials: "same-origin",
    headers: body === undefined ? {} : { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiError(0, "unreachable", "The server does not answer. Check that it is running and try again.");
  });
  const reply = await response.json().catch(() => undefined);
  if (response.ok) return reply as RouteReply<Name>;
  const {
    code = "failed",
    message = `The server answered with status ${response.status}.`,
    field,
  } = reply?.error ?? {};
  throw new ApiError(response.status, code, message, field);
}
