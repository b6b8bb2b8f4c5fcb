import { DrizzleQueryError } from "drizzle-orm/errors";
import { describe, expect, it } from "vitest";
import { DatabaseStopped, describeError, isDatabaseDown, isDataError, withoutParameters } from "./database-error.ts";

const failed = (code: string, message = "something") =>
  new DrizzleQueryError(
    "insert into t values ($1)",
    ["a: secret\n    at home"],
    Object.assign(new Error(message), { code }),
  );

describe("a failed query", () => {
  it("is the values' fault when its class says so", () => {
    for (const code of ["22P05", "22003", "23514", "54000"]) expect(isDataError(failed(code))).toBe(true);
    for (const code of ["57P01", "ECONNREFUSED", "42601"]) expect(isDataError(failed(code))).toBe(false);
  });

  it("may be tried again when the database was gone or full", () => {
    for (const code of ["57P01", "08006", "53100", "ECONNREFUSED"]) expect(isDatabaseDown(failed(code))).toBe(true);
    expect(isDatabaseDown(failed("22P05"))).toBe(false);
    expect(isDatabaseDown(new DatabaseStopped("gone"))).toBe(true);
    expect(isDatabaseDown(new Error("Connection terminated unexpectedly"))).toBe(true);
  });

  it("is not what a refused connection to somebody else is", () => {
    expect(isDatabaseDown(Object.assign(new Error("no"), { code: "ECONNREFUSED" }))).toBe(false);
  });

  it("is described without what it was about", () => {
    const error = failed("22P05", "unsupported Unicode escape sequence");
    expect(describeError(error)).toBe("Failed query: insert into t values ($1): unsupported Unicode escape sequence");
    expect(withoutParameters(error.stack!)).not.toMatch(/secret|home/);
  });
});
