import { apiBase, type RouteContract } from "../../src/dashboard/contract/route.ts";
import { type RouteInput, type RouteName, type RouteReply, routes } from "../../src/dashboard/contract/routes.ts";

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  json: any;
}

/** A browser on a page of the dashboard: keeps the cookie, tells the origin. */
export class DashboardClient {
  readonly url: string;
  /** Servers of these tests trust the X-Forwarded-For of this machine, so that everybody has an address of their own. */
  readonly address: string;
  cookie = "";
  lastCookie = "";

  constructor(url: string, address: string) {
    this.url = url;
    this.address = address;
  }

  /** Calls a route of the contract and throws unless it was served. */
  async call<Name extends RouteName>(name: Name, input: RouteInput<Name>): Promise<RouteReply<Name>> {
    const answer = await this.ask(name, input);
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${answer.text}`);
    return answer.json as RouteReply<Name>;
  }

  /** Calls a route with anything, whatever comes of it. */
  ask(name: RouteName, input: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const { method, path }: RouteContract = routes[name];
    const {
      params = {},
      query = {},
      body,
    } = input as {
      params?: Record<string, string>;
      query?: Record<string, string>;
      body?: unknown;
    };
    const filled = path.replace(/:(\w+)/g, (_match, key: string) => encodeURIComponent(params[key] ?? `no_${key}`));
    const search = new URLSearchParams(query).toString();
    return this.send(method, `${apiBase}${filled}${search ? `?${search}` : ""}`, body, headers);
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(method === "GET" ? {} : { origin: this.url }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(this.cookie ? { cookie: this.cookie } : {}),
        "x-forwarded-for": this.address,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) {
      this.lastCookie = set;
      this.cookie = set.includes("Max-Age=0") ? "" : set.split(";")[0]!;
    }
    if (response.headers.get("content-type")?.includes("event-stream")) {
      await response.body?.cancel();
      return { status: response.status, headers: response.headers, text: "", json: undefined };
    }
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get("content-type")?.includes("json");
    const text = bytes.toString("utf8");
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : bytes };
  }
}

/** What comes after the # of a link. */
export function tokenOf(url: string): string {
  return url.split("#")[1]!;
}
