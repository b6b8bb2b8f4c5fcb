import type { Plugin } from "vite";
import { shortestPassword } from "../../src/dashboard/contract/fields.ts";
import { scopeGroups } from "../../src/dashboard/contract/keys.ts";
import { apiBase, type RouteContract } from "../../src/dashboard/contract/route.ts";
import { routes } from "../../src/dashboard/contract/routes.ts";

const name = "virtual:contract";

/** What the browser needs of the contract when it runs: addresses and texts. Its schemas are types there, because zod would be a
 *  third of the first page's script. */
export function contractPlugin(): Plugin {
  const places = Object.entries(routes as Record<string, RouteContract>).map(([route, { method, path }]) => [
    route,
    { method, path },
  ]);
  const values = { apiBase, places: Object.fromEntries(places), scopeGroups, shortestPassword };
  const lines = Object.entries(values).map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`);
  return {
    name: "parlance-contract",
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? lines.join("\n") : undefined),
  };
}
