import type { OperationsParts } from "./operations.ts";

/** What Prometheus is told of engines, database and bus, looked up when somebody asks. */
export function measureEngines({ board, metrics, database, bus, isDraining }: OperationsParts): void {
  metrics.gauge("parlance_engine_up", "1 when the engine is ready.", ["engine", "state"], (set) => {
    for (const { engine, state } of board.report()) set({ engine, state }, state === "ready" ? 1 : 0);
  });
  metrics.gauge("parlance_engine_queue_length", "Requests waiting for an engine.", ["engine"], (set) => {
    for (const entry of board.entries()) set({ engine: entry.status().name }, entry.status().queued);
  });
  metrics.gauge("parlance_engine_active", "Requests an engine is working on.", ["engine"], (set) => {
    for (const entry of board.entries()) set({ engine: entry.status().name }, entry.status().active);
  });
  // Three signals for an autoscaler: how long the first in the queue waits, how much of the places is in use, and how much is asked
  // for compared to them.
  metrics.gauge(
    "parlance_engine_queue_age_seconds",
    "How long the first request in an engine's queue has waited.",
    ["engine"],
    (set) => {
      for (const entry of board.entries()) {
        set({ engine: entry.status().name }, Math.round(entry.status().oldestWaitMs) / 1000);
      }
    },
  );
  metrics.gauge("parlance_engine_places", "Requests that an engine can work on at once.", ["engine"], (set) => {
    for (const entry of board.entries()) set({ engine: entry.status().name }, entry.status().places);
  });
  metrics.gauge(
    "parlance_engine_saturation",
    "Requests that an engine works on or that wait, for each of its places. Above 1 they wait.",
    ["engine"],
    (set) => {
      for (const entry of board.entries()) {
        const { name, queued, active, places } = entry.status();
        if (places > 0) set({ engine: name }, (queued + active) / places);
      }
    },
  );
  metrics.counter(
    "parlance_engine_busy_seconds_total",
    "How long an engine's places were in use; its rate divided by the places is the busy share.",
    ["engine"],
    (set) => {
      for (const entry of board.entries()) set({ engine: entry.status().name }, entry.status().busySeconds);
    },
  );
  metrics.counter(
    "parlance_engine_restarts_total",
    "How often an engine process was replaced after a failure.",
    ["engine"],
    (set) => {
      for (const entry of board.entries()) set({ engine: entry.status().name }, entry.status().restarts);
    },
  );
  metrics.gauge("parlance_engine_memory_bytes", "Resident memory of an engine's processes.", ["engine"], (set) => {
    for (const entry of board.entries()) set({ engine: entry.status().name }, entry.status().rssBytes);
  });
  if (database) {
    metrics.gauge("parlance_database_info", "Which database is in use.", ["kind"], (set) =>
      set({ kind: database.kind }, 1),
    );
  }
  metrics.gauge("parlance_bus_up", "1 while the bus carries messages.", ["kind"], (set) =>
    set({ kind: bus.kind }, bus.isUp ? 1 : 0),
  );
  metrics.gauge("parlance_draining", "1 while the process finishes its work to end.", [], (set) =>
    set({}, isDraining() ? 1 : 0),
  );
}
