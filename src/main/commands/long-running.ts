import { describeError } from "../../platform/database-error.ts";
import type { PlatformLog } from "../../platform/log.ts";

/** The last net: a failure that nobody caught costs the request it belongs to, not everybody. Each such line is a defect. */
export function outlive(log: PlatformLog): void {
  process.on("unhandledRejection", (reason) => log.error(describe(reason), "a failure that nobody caught"));
  process.on("uncaughtException", (error) => log.error(describe(error), "a failure that nobody caught"));
}

function describe(error: unknown): { error: string; stack: string } {
  return { error: describeError(error), stack: error instanceof Error ? (error.stack ?? "") : "" };
}

/** SIGTERM and SIGINT end the process once `close` is done; a second one means: now. */
export function endOnSignal(close: () => Promise<void>): void {
  let isClosing = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isClosing) process.exit(1);
      isClosing = true;
      close().then(
        () => process.exit(0),
        (error) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}
