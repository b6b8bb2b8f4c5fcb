import type { z } from "zod";
import { adminRoutes } from "./admin.ts";
import { catalogRoutes } from "./catalog.ts";
import { creditRoutes } from "./credits.ts";
import { keyRoutes } from "./keys.ts";
import { sessionRoutes } from "./session.ts";
import { usageRoutes } from "./usage.ts";
import { workspaceRoutes } from "./workspaces.ts";

/** Everything under `/dashboard/api`: the server registers its routes from this table, and the browser's client is made of it. */
export const routes = {
  ...sessionRoutes,
  ...workspaceRoutes,
  ...keyRoutes,
  ...usageRoutes,
  ...creditRoutes,
  ...catalogRoutes,
  ...adminRoutes,
} as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;

type Part<Name extends RouteName, Key extends "params" | "query" | "body"> =
  Routes[Name] extends Record<Key, infer Schema extends z.ZodType>
    ? { [K in Key]: Schema }
    : // biome-ignore lint/complexity/noBannedTypes: a part that the route does not have adds nothing
      {};

/** The schemas of a route's request, by part; only those it has. */
type Parts<Name extends RouteName> = Part<Name, "params"> & Part<Name, "query"> & Part<Name, "body">;

/** What a caller gives: `{ params, query, body }`, each only where the route has it. */
export type RouteInput<Name extends RouteName> = {
  [Key in keyof Parts<Name>]: Parts<Name>[Key] extends z.ZodType ? z.input<Parts<Name>[Key]> : never;
};
/** The same after the schemas have filled in defaults. */
export type RouteRequest<Name extends RouteName> = {
  [Key in keyof Parts<Name>]: Parts<Name>[Key] extends z.ZodType ? z.output<Parts<Name>[Key]> : never;
};
export type RouteReply<Name extends RouteName> = z.output<Routes[Name]["reply"]>;
