import { defineConfig } from "vitest/config";
import { NO_TELEMETRY } from "./src/adapters/engines/host/no-telemetry.ts";
import { SlowFirst } from "./tests/support/slow-first.ts";

// Some tests load the runtime of models into their own process, which inherits this.
Object.assign(process.env, NO_TELEMETRY);

/** Files of one worker share its process: modules and engines are loaded once, which halves the time of all. */
const isolate = false;

/** What is waited for comes at once or never. The default of a second would be a timed assertion on a busy machine. */
const patience = { poll: { timeout: 60_000 } };

/** For a machine several times slower than ours: whatever hangs still ends. */
const limits = {
  unit: { testTimeout: 180_000, hookTimeout: 180_000, expect: patience },
  journeys: { testTimeout: 600_000, hookTimeout: 600_000, expect: patience },
};

/** Two projects: `unit` runs beside the code in under a minute, `journeys` tells whole stories on real servers and engines. */
export default defineConfig({
  test: {
    passWithNoTests: true,
    // One more than the two cores it is meant for: a third of the time of a journey is waiting for other processes.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          name: "unit",
          isolate,
          include: ["src/**/*.test.ts", "tests/architecture/*.test.ts"],
          exclude: ["src/**/*.engine.test.ts"],
          ...limits.unit,
        },
      },
      {
        test: {
          name: "journeys",
          isolate,
          include: ["tests/{journeys,conformance,hostile,cluster,simulation}/**/*.test.ts", "src/**/*.engine.test.ts"],
          ...limits.journeys,
        },
      },
    ],
  },
});
