import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isAlive, parseLines } from "../platform/journal-files.ts";
import type { Charge } from "./lease-store.ts";

/** A hold as the journal knows it. */
export interface JournaledHold {
  id: string;
  workspaceId: string;
  amount: string;
  /** What the slice needs to find out later what an interrupted request cost. Names and numbers only. */
  about: unknown;
  /** The upstream's own name for the request, once known. */
  reference?: string;
}

type Entry =
  | { t: "run"; owner: string }
  | ({ t: "hold" } & JournaledHold)
  | { t: "seen"; id: string; reference: string }
  | { t: "charge"; id: string; workspaceId: string; amount: string; at: string; record: unknown }
  | { t: "release"; id: string };

export interface Journal {
  hold(hold: JournaledHold): void;
  seen(id: string, reference: string): void;
  charge(charge: Charge): void;
  release(id: string): void;
  /** Hands everything to the kernel now. */
  writeDown(): void;
  /** Resolves when everything is in the kernel's hands: with one write for all that ends in this turn of the event loop. */
  written(): Promise<void>;
  /** Starts a new file with only what is still open, when the present one has grown. */
  trim(open: Iterable<JournaledHold>, unwritten: Iterable<Charge>): void;
  /** Everything is in the database: nothing to leave behind. */
  close(): void;
}

/** What a run that is no more has left behind. */
export interface Estate {
  owner: string;
  charges: Charge[];
  open: JournaledHold[];
  /** Once all of it is in the database. */
  remove(): void;
}

const trimFromBytes = 2_000_000;

/** Every charge is in the kernel's hands before its reply leaves, so a killed process loses none. A hold may be lost in the
 *  moment before that: then its request was never answered, and there is nothing to release. */
export function openJournal(dataDir: string, owner: string): Journal {
  const folder = journalFolder(dataDir);
  let generation = 0;
  let unwritten = "";
  let isScheduled = false;
  let waiting: { resolve(): void; reject(error: unknown): void }[] = [];
  let current = open();

  function open(): { path: string; file: number; bytes: number } {
    generation += 1;
    const path = join(folder, `${process.pid}-${Date.now()}-${generation}-${owner}.ndjson`);
    const opened = { path, file: openSync(path, "ax", 0o600), bytes: 0 };
    writeSync(opened.file, `${JSON.stringify({ t: "run", owner } satisfies Entry)}\n`);
    return opened;
  }

  function add(entry: Entry): void {
    unwritten += `${JSON.stringify(entry)}\n`;
    schedule();
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(writeTogether);
  }

  function writeDown(): void {
    if (unwritten === "") return;
    const lines = unwritten;
    unwritten = "";
    current.bytes += writeSync(current.file, lines);
  }

  function writeTogether(): void {
    isScheduled = false;
    const told = waiting;
    waiting = [];
    try {
      writeDown();
    } catch (error) {
      for (const { reject } of told) reject(error);
      return;
    }
    for (const { resolve } of told) resolve();
  }

  return {
    hold: (hold) => add({ t: "hold", ...hold }),
    seen: (id, reference) => add({ t: "seen", id, reference }),
    charge: (charge) => add(chargeEntry(charge)),
    release: (id) => add({ t: "release", id }),
    writeDown,
    written: () =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        schedule();
      }),
    trim(holds, charges) {
      if (current.bytes < trimFromBytes) return;
      writeDown();
      const old = current;
      current = open();
      for (const hold of holds) add({ t: "hold", ...hold });
      for (const charge of charges) add(chargeEntry(charge));
      writeDown();
      closeSync(old.file);
      // Off this thread: on a busy disk it may take many milliseconds.
      void rm(old.path, { force: true }).catch(() => {});
    },
    close() {
      unwritten = "";
      closeSync(current.file);
      rmSync(current.path, { force: true });
    },
  };
}

function chargeEntry({ amount, ...rest }: Charge): Entry {
  return { t: "charge", ...rest, amount: amount.toString() };
}

/** The journals of processes that are no more. */
export function findEstates(dataDir: string): Estate[] {
  const folder = journalFolder(dataDir);
  const estates = new Map<string, Estate>();
  for (const name of readdirSync(folder).sort()) {
    const pid = Number.parseInt(name, 10);
    if (!name.endsWith(".ndjson") || (pid !== process.pid && isAlive(pid))) continue;
    const path = join(folder, name);
    const entries = parseLines<Entry>(readFileSync(path, "utf8"));
    const first = entries[0];
    if (first?.t !== "run") {
      rmSync(path, { force: true });
      continue;
    }
    // A process killed while it trimmed leaves two files; what they repeat is told apart by its id.
    const known = estates.get(first.owner);
    const estate = readEstate(entries);
    estates.set(first.owner, {
      owner: first.owner,
      charges: [...(known?.charges ?? []), ...estate.charges],
      open: [...(known?.open ?? []), ...estate.open].filter(isFirst),
      remove() {
        known?.remove();
        rmSync(path, { force: true });
      },
    });
  }
  for (const estate of estates.values()) {
    const charged = new Set(estate.charges.map(({ id }) => id));
    estate.open = estate.open.filter(({ id }) => !charged.has(id));
  }
  return [...estates.values()];
}

const isFirst = (hold: JournaledHold, index: number, all: JournaledHold[]) =>
  all.findIndex(({ id }) => id === hold.id) === index;

function readEstate(entries: Entry[]): { charges: Charge[]; open: JournaledHold[] } {
  const open = new Map<string, JournaledHold>();
  const charges: Charge[] = [];
  for (const entry of entries) {
    if (entry.t === "hold") {
      const { t: _, ...hold } = entry;
      open.set(hold.id, hold);
    } else if (entry.t === "seen") {
      const hold = open.get(entry.id);
      if (hold) hold.reference = entry.reference;
    } else if (entry.t === "charge") {
      const { t: _, amount, ...rest } = entry;
      charges.push({ ...rest, amount: BigInt(amount) });
      open.delete(entry.id);
    } else if (entry.t === "release") {
      open.delete(entry.id);
    }
  }
  return { charges, open: [...open.values()] };
}

function journalFolder(dataDir: string): string {
  const folder = join(dataDir, "credits");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
