import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Workspace } from "../accounts/workspaces.ts";
import type { Role } from "./contract/fields.ts";
import type { Access } from "./contract/route.ts";
import type { RouteName, RouteRequest, Routes } from "./contract/routes.ts";
import type { SessionRecord, UserRecord } from "./tables.ts";

export interface SignedIn {
  readonly user: UserRecord;
  readonly session: SessionRecord;
}

/** Who is asking, as a handler sees it. */
export interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly address: string;
  /** Whoever is signed in, also on routes for which nobody has to be. */
  readonly current: SignedIn | undefined;
}

export interface UserVisit extends Visit, SignedIn {
  readonly current: SignedIn;
}

export interface WorkspaceVisit extends UserVisit {
  readonly workspace: Workspace;
  readonly role: Role;
}

export type VisitOf<Rule extends Access> = Rule extends "public"
  ? Visit
  : Rule extends "member" | "admin" | "owner"
    ? WorkspaceVisit
    : UserVisit;

/** What answers each route of the contract. A route without a handler does not compile. */
export type Handlers<Name extends RouteName = RouteName> = {
  [One in Name]: (
    input: RouteRequest<One>,
    visit: VisitOf<Routes[One]["access"]>,
  ) => Promise<Routes[One] extends { format: "events" } ? void : z.input<Routes[One]["reply"]>>;
};
