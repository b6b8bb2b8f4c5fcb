import { describe, expect, it } from "vitest";
import { checkYamlShape } from "./check-yaml-shape.ts";

describe("the shape of YAML", () => {
  it.each(["? ", "- ", ": ", "- ? ", "[", "{a: ", "[{", "a: [\n"])(
    "is refused when %j is repeated without end",
    (part) => {
      expect(() => checkYamlShape(part.repeat(20_000))).toThrow("nested more than 100 levels");
    },
  );

  it("is refused when every line stands further to the right than the one before", () => {
    const lines = Array.from({ length: 500 }, (_, level) => `${" ".repeat(level)}a:`);
    expect(() => checkYamlShape(lines.join("\n"))).toThrow("nested more than 100 levels");
  });

  it("may be long, and have brackets and dashes in its texts", () => {
    const field = "  - name: a\n    pattern: '[A-Z]{2}-[0-9]{4} - [a-z]'\n    labels: [Total, \"a - b - c\"]\n";
    expect(() => checkYamlShape(`name: T\nfields:\n${field.repeat(2000)}`)).not.toThrow();
  });
});
