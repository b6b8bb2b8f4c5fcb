import { describe, expect, it } from "vitest";
import { scopeGroups } from "./keys.ts";
import { apiBase, type RouteContract, refusal } from "./route.ts";
import { routes } from "./routes.ts";

const all = Object.entries(routes) as [string, RouteContract][];

describe("the dashboard's contract", () => {
  it("names every parameter of a path in its schema, and no others", () => {
    for (const [name, { path, params }] of all) {
      const named = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]);
      expect([name, Object.keys(params?.shape ?? {}).sort()]).toEqual([name, named.sort()]);
    }
  });

  it("asks for a role only where the path names the workspace", () => {
    for (const [name, { path, access }] of all) {
      if (["member", "admin", "owner"].includes(access)) {
        expect([name, path.startsWith("/workspaces/:workspaceId")]).toEqual([name, true]);
      }
    }
  });

  it("has one route for each method and path", () => {
    const places = all.map(([, { method, path }]) => `${method} ${apiBase}${path}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it("explains every scope in a sentence", () => {
    const sentences = scopeGroups.flatMap(({ scopes }) => scopes.map(({ sentence }) => sentence));
    expect(sentences).toHaveLength(15);
    expect(sentences.every((sentence) => /^[A-Z].+\.$/.test(sentence))).toBe(true);
  });

  it("has one shape for every refusal", () => {
    const body = { error: { code: "invalid_request", message: "No.", field: "email" } };
    expect(refusal.parse(body)).toEqual(body);
  });
});
