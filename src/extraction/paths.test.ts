import { describe, expect, it } from "vitest";
import { hasPath, setPath } from "./paths.ts";

describe("a path", () => {
  it("makes the objects on its way", () => {
    const data = { seller: null };
    setPath(data, "seller.name", "Acme");
    setPath(data, "total", 5);
    expect(data).toEqual({ seller: { name: "Acme" }, total: 5 });
  });

  it.each(["__proto__.zz.b", "a.__proto__.zz", "constructor.prototype.zz", "__proto__", "a.constructor"])(
    "%s reaches nothing that objects share",
    (path) => {
      setPath({}, path, "polluted");
      expect(({} as Record<string, unknown>).zz).toBeUndefined();
      expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("zz");
    },
  );

  it("is there only when the object itself has it", () => {
    expect(hasPath({ a: { b: null } }, "a.b")).toBe(true);
    expect(hasPath({ a: { b: null } }, "a.toString")).toBe(false);
  });
});
