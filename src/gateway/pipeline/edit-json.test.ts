import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editJson } from "./edit-json.ts";

const edit = (text: string, decide: Parameters<typeof editJson>[2]) => editJson(text, JSON.parse(text), decide);

describe("editing JSON", () => {
  const odd = ' { "b" : 12345678901234567890, "a": 1.0,\n"c":[1.50, {"x":"\\u00e9\\"}"} ] ,"d" : null }';

  it("leaves every byte as it is where nothing is edited", () => {
    expect(edit(odd, () => undefined)).toBe(odd);
  });

  it("removes a member with its comma, wherever it stands", () => {
    const without = (name: string) =>
      edit('{"a":1, "b":2.0 ,"c":3}', ([own]) => (own === name ? { remove: true } : undefined));
    expect(without("a")).toBe('{"b":2.0 ,"c":3}');
    expect(without("b")).toBe('{"a":1, "c":3}');
    expect(without("c")).toBe('{"a":1, "b":2.0}');
    expect(edit('{"a":1,"b":2}', () => ({ remove: true }))).toBe("{}");
  });

  it("writes a value anew deep inside, and nothing beside it", () => {
    const replace = (path: readonly unknown[]) => (path.join(".") === "c.1.x" ? { replace: "7" } : undefined);
    expect(edit(odd, replace)).toBe(odd.replace('"\\u00e9\\"}"', "7"));
  });

  it("keeps the last of two members with one name, however it is spelled", () => {
    expect(edit('{"model":"a","x":1,"mod\\u0065l":"b"}', () => undefined)).toBe('{"x":1,"mod\\u0065l":"b"}');
  });

  it("means what the same edit of the parsed value means", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.infiniteStream(fc.boolean()), (value, coins) => {
        const parsed = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
        const expected = { ...parsed };
        const text = JSON.stringify(parsed, null, 1);
        const edited = editJson(text, parsed, (path) => {
          if (path.length > 1 || !coins.next().value) return undefined;
          delete expected[path[0]!];
          return { remove: true };
        });
        expect(JSON.parse(edited)).toEqual(expected);
      }),
    );
  });
});
