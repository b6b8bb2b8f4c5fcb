import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const out = join(root, ".cache", "bench");
let isCompiled = false;

/** The path of a source file compiled as a release is. Run through tsx, every function that a request makes costs a further
 *  call, which would burden both sides of a comparison unequally. */
export function compiled(file: string): string {
  if (!isCompiled) {
    mkdirSync(out, { recursive: true });
    const config = {
      extends: "../../tsconfig.json",
      compilerOptions: { noEmit: false, noCheck: true, rootDir: "../..", outDir: "." },
      include: ["../../src", "../../bench/foundation", "../../bench/gateway", "../../bench/support"],
      exclude: ["../../src/**/*.test.ts", "../../src/**/*.contract.ts"],
    };
    const project = join(out, "tsconfig.json");
    writeFileSync(project, JSON.stringify(config));
    const tsc = join(root, "node_modules", ".bin", "tsc");
    const { status } = spawnSync(tsc, ["-p", project], { stdio: "inherit", cwd: root });
    if (status !== 0) throw new Error("the sources do not compile");
    isCompiled = true;
  }
  return join(out, file.replace(/\.ts$/, ".js"));
}
