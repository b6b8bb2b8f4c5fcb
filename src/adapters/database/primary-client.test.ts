import { expect, it } from "vitest";
import { splitHosts } from "./primary-client.ts";

it("an address with several servers is one address for each", () => {
  expect(splitHosts("postgres://a:p%40s,s@one:5432,two.internal/parlance?sslmode=require")).toEqual([
    "postgres://a:p%40s,s@one:5432/parlance?sslmode=require",
    "postgres://a:p%40s,s@two.internal/parlance?sslmode=require",
  ]);
  expect(splitHosts("postgres://localhost/parlance")).toEqual(["postgres://localhost/parlance"]);
  expect(splitHosts("postgresql:///parlance?host=/run/postgresql")).toEqual([
    "postgresql:///parlance?host=/run/postgresql",
  ]);
});
