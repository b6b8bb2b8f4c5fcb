import type { Log } from "./log.ts";

/** A request that holds up everybody else for this long is worth a line in the log. */
const longestStallMs = 200;
const everyMs = 50;
const rememberedRoutes = 5;

export interface StallWatch {
  /** From now on; a start may stand still for a moment. */
  begin(): void;
  /** Says that work on a request of this route begins. */
  entered(route: string): void;
  stop(): void;
}

/** Notices when the event loop stands still, and tells which routes were entered last before it did: one of them is the cause. Where none
 *  was and the process did not compute either, it only waited for a core of a busy machine, which is nobody's fault. */
export function watchStalls(log: Log, onStall: (stallMs: number) => void = () => {}): StallWatch {
  let routes: string[] = [];
  let seenMs = 0;
  let cpu = process.cpuUsage();
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const now = performance.now();
    const stallMs = Math.round(now - seenMs - everyMs);
    seenMs = now;
    // Asked once: it takes as long as many a request.
    const total = process.cpuUsage();
    const computedMs = (total.user - cpu.user + total.system - cpu.system) / 1000;
    cpu = total;
    if (stallMs >= longestStallMs) {
      const hasComputed = computedMs >= stallMs / 2;
      const level = routes.length > 0 || hasComputed ? "warn" : "debug";
      log[level]({ stallMs, routes: [...new Set(routes)] }, "the server stood still");
      onStall(stallMs);
    }
    routes = [];
  };
  return {
    begin() {
      seenMs = performance.now();
      cpu = process.cpuUsage();
      timer = setInterval(look, everyMs).unref();
    },
    entered(route) {
      if (routes.length >= rememberedRoutes) routes.shift();
      routes.push(route);
    },
    stop: () => clearInterval(timer),
  };
}
