import { readKey } from "../../accounts/http/guard.ts";
import type { Service } from "../../accounts/http/mount-service.ts";
import { MemoryStore } from "../../limits/memory-store.ts";
import { SlidingWindow } from "../../limits/sliding-window.ts";
import { systemClock } from "../../platform/clock.ts";
import { type Dialect, usualTable } from "../../platform/http/dialect.ts";
import type { AdminContext } from "../commands/admin-command.ts";
import { adminReference } from "./reference.ts";
import { addAdminRoutes } from "./routes.ts";

/** As many as the voice platform's default: this is for programs that set things up, not for traffic. */
const ratePerMinute = 60;

/** `{error: {type, message}}` */
const dialect: Dialect = { table: usualTable, body: ({ type, message }) => ({ error: { type, message } }) };

/** Workspaces, keys, plans, credits and usage of the whole installation, for keys with the scope `admin`. */
export function adminService(context: AdminContext): Service<"admin"> {
  return {
    name: "admin",
    base: "/admin",
    baseWhenAlone: "/admin",
    dialect,
    policy: {
      readKey,
      howToSendKey: '"Authorization: Bearer <key>"',
      window: new SlidingWindow(new MemoryStore(60_000, systemClock)),
      limitFor: (caller) => caller.ratePerMinute ?? ratePerMinute,
      strangersLimit: ratePerMinute,
    },
    api: {
      title: "Parlance administration",
      description: "What the command line does to workspaces, keys, plans, credits and usage, over HTTP.",
      security: { bearer: true },
      reference: adminReference,
    },
    addRoutes: (app) => addAdminRoutes(app, context),
  };
}
