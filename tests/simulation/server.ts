import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Books, Hold } from "../../src/credits/books.ts";
import { createHealth } from "../../src/platform/health.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { VirtualTime } from "./timers.ts";

/** One run of one server, on a data folder that outlives it. */
export class Server {
  readonly dataDir: string;
  readonly health = createHealth(silentLog);
  readonly holds: Hold[] = [];
  /** Charges that a full disk has kept out of the journal so far. */
  unsure: string[] = [];
  /** Undefined while it starts. */
  books: Books | undefined;
  isDead = false;
  /** From database and bus. */
  isCutOff = false;
  /** How many of its calls go wrong. */
  troubles = 0;
  readonly #time: VirtualTime;

  constructor(time: VirtualTime, dataDir = mkdtempSync(join(tmpdir(), "parlance-simulation-"))) {
    this.#time = time;
    this.dataDir = dataDir;
  }

  run<Result>(work: () => Result): Result {
    return this.#time.runAs(this, work);
  }

  get isJournaling(): boolean {
    return this.health.refusal === undefined;
  }

  kill(): void {
    this.isDead = true;
    this.#time.end(this);
  }
}
