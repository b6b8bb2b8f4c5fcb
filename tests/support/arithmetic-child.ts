import { appendFileSync, readFileSync } from "node:fs";
import { serveChild } from "../../src/adapters/engines/host/serve-child.ts";
import { Problem } from "../../src/platform/errors.ts";

/** A small real engine child that does arithmetic, and misbehaves on request. */
serveChild({
  async load(settings: { refuses?: boolean }) {
    if (settings.refuses) throw new Error("no model here");
    return { leaked: [] as Buffer[], counted: 0 };
  },
  tasks: {
    async *add(input: { a: number; b: number }) {
      if (!Number.isFinite(input.a + input.b)) throw new Problem("invalid_request", "Numbers only.");
      yield input.a + input.b;
    },
    async *count(input: { to: number; pauseMs?: number }, context, signal) {
      for (let n = 1; n <= input.to && !signal.aborted; n++) {
        if (input.pauseMs) await new Promise((resolve) => setTimeout(resolve, input.pauseMs));
        context.counted = n;
        yield n;
      }
    },
    // biome-ignore lint/correctness/useYield: it never gets that far
    async *hang() {
      for (;;) Math.sqrt(2);
    },
    async *crash() {
      process.kill(process.pid, "SIGSEGV");
      await new Promise(() => {});
    },
    // Each try leaves a dot; the first of them end.
    async *killed({ file, times }: { file: string; times: number }) {
      appendFileSync(file, ".");
      if (readFileSync(file, "utf8").length <= times) process.kill(process.pid, "SIGKILL");
      yield process.pid;
    },
    async *leak(_input: unknown, context) {
      for (;;) {
        context.leaked.push(Buffer.alloc(16 << 20, 1));
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    // biome-ignore lint/correctness/useYield: it fails first
    async *stumble() {
      throw new Error("secret details");
    },
    async *counted(_input: unknown, context) {
      yield context.counted;
    },
    async *echo(input: unknown) {
      yield input;
    },
    async *whoami() {
      yield process.pid;
    },
  },
});
