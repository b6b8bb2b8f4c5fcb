import { expect, it } from "vitest";
import { silentLog } from "./log.ts";
import { watchStalls } from "./stall-watch.ts";

it("a stall is logged with the routes that were entered before it", async () => {
  const lines: object[] = [];
  const watch = watchStalls({ ...silentLog, warn: (fields) => lines.push(fields) });
  watch.begin();
  await new Promise((resolve) => setTimeout(resolve, 60));
  watch.entered("/v1/slow");
  // Until it has computed for so long: on a busy machine time alone may pass without it.
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 400_000);
  await new Promise((resolve) => setTimeout(resolve, 120));
  watch.stop();
  expect(lines).toContainEqual({ stallMs: expect.any(Number), routes: ["/v1/slow"] });
});

it("a process that only waited for a core warns nobody", async () => {
  const lines: string[] = [];
  const watch = watchStalls({ ...silentLog, warn: () => lines.push("warn"), debug: () => lines.push("debug") });
  watch.begin();
  await new Promise((resolve) => setTimeout(resolve, 60));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  await new Promise((resolve) => setTimeout(resolve, 120));
  watch.stop();
  expect(new Set(lines)).toEqual(new Set(["debug"]));
});
