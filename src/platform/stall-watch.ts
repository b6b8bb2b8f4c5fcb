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

/** Notices when the event loop stands still, and tells which routes were entered last before it did: one of them is the cause. */
export function watchStalls(log: Log, onStall: (stallMs: number) => void = () => {}): StallWatch {
  let routes: string[] = [];
  let seenMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const now = performance.now();
    const stallMs = Math.round(now - seenMs - everyMs);
    seenMs = now;
    if (stallMs >= longestStallMs) {
      log.warn({ stallMs, routes: [...new Set(routes)] }, "the server stood still");
      onStall(stallMs);
    }
    routes = [];
  };
  return {
    begin() {
      seenMs = performance.now();
      timer = setInterval(look, everyMs).unref();
    },
    entered(route) {
      if (routes.length >= rememberedRoutes) routes.shift();
      routes.push(route);
    },
    stop: () => clearInterval(timer),
  };
}
