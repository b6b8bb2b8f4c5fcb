import type { FastifyReply, FastifyRequest } from "fastify";
import { MemoryStore } from "../limits/memory-store.ts";
import { SlidingWindow } from "../limits/sliding-window.ts";
import { UnknownKeyLimit } from "../limits/unknown-key-limit.ts";
import { networkOf } from "../platform/client-address.ts";
import { Problem } from "../platform/errors.ts";
import type { HttpApp } from "../platform/http/create-server.ts";
import { speakDialect } from "../platform/http/errors.ts";
import { makeRoom } from "../platform/make-room.ts";
import type { Handlers, SignedIn, Visit } from "./context.ts";
import { apiBase, type RouteContract } from "./contract/route.ts";
import { type RouteName, routes } from "./contract/routes.ts";
import { dashboardDialect } from "./dialect.ts";
import { createHandlers } from "./handlers.ts";
import type { DashboardParts } from "./parts.ts";
import { findMembership, outranks } from "./people/memberships.ts";
import { checkOrigin } from "./sign-in/check-origin.ts";
import { createSessionCookie, type SessionCookie } from "./sign-in/cookie.ts";
import { createSessionStore, type SessionStore } from "./sign-in/sessions.ts";

/** Nothing here is larger than a form. */
const largestBodyBytes = 64 * 1024;
/** A page asks a dozen things when it opens; nobody clicks ten times a second. */
const perMinute = { signedIn: 600, stranger: 120 };

/** IPv6 with a zone, and room. */
const longestAddress = 64;
const mostKnown = 10_000;

interface Doors {
  readonly parts: DashboardParts;
  readonly sessions: SessionStore;
  readonly cookie: SessionCookie;
  readonly unknown: UnknownKeyLimit;
  readonly window: SlidingWindow;
  /** Cookies that were good when they were last sent. */
  readonly known: Set<string>;
}

/** The dashboard's API: every route of the contract, behind the check that its `access` names. */
export async function mountDashboard(app: HttpApp, parts: DashboardParts): Promise<void> {
  const cookie = createSessionCookie(parts.publicUrl());
  const sessions = createSessionStore(parts.database.queries, parts.clock);
  const doors: Doors = {
    parts,
    sessions,
    cookie,
    unknown: new UnknownKeyLimit(parts.clock),
    window: new SlidingWindow(new MemoryStore(60_000, parts.clock)),
    known: new Set(),
  };
  const handlers = createHandlers(parts, sessions, cookie, (close) => {
    app.addHook("preClose", (done) => {
      close();
      done();
    });
  });
  await app.register(
    async (plain) => {
      const scoped = plain as unknown as HttpApp;
      speakDialect(scoped, dashboardDialect, parts.log);
      scoped.addHook("onSend", (_request, reply, _payload, done) => {
        if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
        // Other sites have no business here, whatever the APIs allow.
        reply.removeHeader("access-control-allow-origin");
        done();
      });
      for (const name of Object.keys(routes) as RouteName[]) addRoute(scoped, name, doors, handlers);
    },
    { prefix: apiBase },
  );
}

function addRoute(app: HttpApp, name: RouteName, doors: Doors, handlers: Handlers): void {
  const contract: RouteContract = routes[name];
  const { method, path, params, query, body, reply: answer, format } = contract;
  // Who may do what was checked by `enter`; each handler gets what its route's `access` promises.
  const handle = handlers[name] as (input: object, visit: Visit) => Promise<unknown>;
  const visits = new WeakMap<FastifyRequest, Visit>();
  app.route({
    method,
    url: path,
    bodyLimit: largestBodyBytes,
    config: { scope: "open" },
    schema: {
      ...(params ? { params } : {}),
      ...(query ? { querystring: query } : {}),
      ...(body ? { body } : {}),
    },
    async onRequest(request, reply) {
      visits.set(request, await enter(request, reply, contract, doors));
    },
    async handler(request, reply) {
      const input = { params: request.params, query: request.query, body: request.body };
      const result = await handle(input, visits.get(request)!);
      if (format === "events") return reply;
      if (format === "csv") return reply.type("text/csv; charset=utf-8").send(result);
      if (format === "audio") return reply.type("audio/wav").send(result);
      // What the contract does not name does not leave.
      return answer.parse(result);
    },
  });
}

/** In this order: where the request comes from, how often, who sends it, and whether they may. */
async function enter(
  request: FastifyRequest,
  reply: FastifyReply,
  { method, access }: RouteContract,
  doors: Doors,
): Promise<Visit> {
  const { parts, window } = doors;
  const isChange = method !== "GET";
  if (isChange) checkOrigin(request.headers, parts.publicUrl());
  if (isChange && parts.health.refusal) throw parts.health.refusal;
  const current = await findCurrent(request, doors);
  const [who, limit] = current
    ? [current.session.id, perMinute.signedIn]
    : [`address ${networkOf(request.ip)}`, perMinute.stranger];
  const turn = await window.take(who, limit);
  if (!turn.isAllowed) {
    throw new Problem("rate_limited", `Too many requests. Try again in ${turn.retryAfterSeconds} s.`, {
      retryAfterSeconds: turn.retryAfterSeconds,
    });
  }
  // A proxy's header may hold anything.
  const visit: Visit = { request, reply, address: request.ip.slice(0, longestAddress), current };
  if (access === "public") return visit;
  if (!current) throw new Problem("unauthorized", "Sign in to go on.");
  const signedIn = { ...visit, ...current };
  if (access === "session") return signedIn;
  if (access === "installation") {
    if (current.user.isInstallationOwner) return signedIn;
    throw new Problem("missing_scope", "Only the owner of this installation may do that.");
  }
  const { workspaceId } = request.params as { workspaceId: string };
  const found = await findMembership(parts.database.queries, workspaceId, current.user.id);
  // A workspace of others looks like one that does not exist.
  if (!found) throw new Problem("not_found", "There is no such workspace.");
  if (!outranks(found.role, access)) {
    throw new Problem("missing_scope", `This needs the role ${access} in this workspace; yours is ${found.role}.`);
  }
  return { ...signedIn, ...found } as Visit;
}

async function findCurrent(
  request: FastifyRequest,
  { cookie, sessions, unknown, known }: Doors,
): Promise<SignedIn | undefined> {
  const token = cookie.read(request.headers.cookie);
  if (!token) return undefined;
  // A cookie that was good a moment ago is never kept out by what others at its address send.
  if (!known.has(token)) unknown.check(request.ip);
  const current = await sessions.find(token);
  if (current) {
    makeRoom(known, mostKnown);
    known.add(token);
  } else {
    known.delete(token);
    unknown.note(request.ip);
  }
  return current;
}
