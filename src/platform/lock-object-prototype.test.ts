import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** In a process of its own: the lock cannot be undone. */
function run(code: string): string {
  const module = fileURLToPath(new URL("./lock-object-prototype.ts", import.meta.url));
  const script = `import { lockObjectPrototype } from ${JSON.stringify(module)}; lockObjectPrototype(); ${code}`;
  const options = { encoding: "utf8" } as const;
  return execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], options).trim();
}

it("nothing can give all objects a property any more", () => {
  const code = `try { ({}).__proto__.polluted = 1 } catch (error) { console.log(error.name) }
    try { Object.prototype.toString = () => "x" } catch (error) { console.log(error.name) }
    console.log(String({}.polluted), String({}), Object.isFrozen(Object.prototype))`;
  expect(run(code)).toBe("TypeError\nTypeError\nundefined [object Object] true");
});

it("objects can still have what all have as their own", () => {
  const code = `const own = {}; own.toString = () => "own"; class Old {} Old.prototype.constructor = Old;
    console.log(String(own), new Old().constructor.name)`;
  expect(run(code)).toBe("own Old");
});
