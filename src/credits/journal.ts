import { mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describeError } from "../platform/database-error.ts";
import type { Health } from "../platform/health.ts";
import { isOthers, LineFile, parseLines, processName } from "../platform/journal-files.ts";
import type { Log } from "../platform/log.ts";
import type { ReferredHold } from "./books.ts";
import type { Charge } from "./lease-store.ts";

/** A hold whose cost the upstream can be asked for after a crash. Others are not written down: nobody could tell what their
 *  requests cost, so the next start gives them back together with the rest of the lease. */
export interface JournaledHold {
  id: string;
  workspaceId: string;
  amount: string;
  /** What the slice needs to find out later what an interrupted request cost. Names and numbers only. */
  about: unknown;
  /** The upstream's own name for the request. */
  reference: string;
}

type Entry =
  | { t: "run"; owner: string }
  | ({ t: "hold" } & JournaledHold)
  | ({ t: "charge"; amount: string; owed?: string; figures: string } & Omit<Charge, "amount" | "owed" | "figures">)
  | { t: "release"; id: string };

export interface Journal {
  hold(hold: JournaledHold): void;
  charge(charge: Charge): void;
  release(id: string): void;
  /** Hands everything to the kernel now. What a full disk does not take is kept, and reported: then false. */
  writeDown(): boolean;
  /** Calls back when everything is in the kernel's hands: with one write for all that ends in this turn of the event loop. */
  onWritten(tell: () => void): void;
  /** Starts a new file with only what is still open, when the present one has grown; else tries again to write what is left. */
  trim(open: () => Iterable<JournaledHold>, unwritten: Iterable<Charge>): void;
  /** Everything is in the database: nothing to leave behind. */
  close(): void;
}

/** What a run that is no more has left behind. */
export interface OrphanedJournal {
  owner: string;
  /** In the order of their positions. */
  charges: Charge[];
  open: JournaledHold[];
  /** Once all of it is in the database. */
  remove(): void;
}

const part = "credit journal";
const trimFromBytes = 2_000_000;

/** Every charge is in the kernel's hands before its reply leaves, so a killed process loses none. */
export function openJournal(dataDir: string, owner: string, health: Health): Journal {
  const folder = journalFolder(dataDir);
  let generation = 0;
  let unwritten = "";
  let isScheduled = false;
  let waiting: (() => void)[] = [];
  let current = open();

  function open(): LineFile {
    generation += 1;
    const path = join(folder, `${processName()}-${Date.now()}-${generation}-${owner}.ndjson`);
    const opened = new LineFile(path, openSync(path, "ax", 0o600));
    opened.append(`${JSON.stringify({ t: "run", owner } satisfies Entry)}\n`);
    return opened;
  }

  function add(line: string): void {
    unwritten += line;
    schedule();
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(writeTogether);
  }

  function writeDown(): boolean {
    const lines = unwritten;
    unwritten = "";
    try {
      current.append(lines);
      health.report(part, undefined);
      return true;
    } catch (error) {
      // Nothing is lost: the lines go first the next time, the charges are in memory too, and no new request is let in.
      health.report(part, describeError(error));
      return false;
    }
  }

  function writeTogether(): void {
    isScheduled = false;
    const told = waiting;
    waiting = [];
    writeDown();
    for (const tell of told) tell();
  }

  return {
    hold: (hold) => add(holdLine(hold)),
    charge: (charge) => add(chargeLine(charge)),
    release: (id) => add(`${JSON.stringify({ t: "release", id } satisfies Entry)}\n`),
    writeDown,
    onWritten(tell) {
      waiting.push(tell);
      schedule();
    },
    trim(holds, charges) {
      if (!writeDown() || current.bytes < trimFromBytes) return;
      const old = current;
      try {
        current = open();
      } catch (error) {
        return health.report(part, describeError(error));
      }
      for (const hold of holds()) add(holdLine(hold));
      for (const charge of charges) add(chargeLine(charge));
      if (!writeDown()) {
        // The old one has everything.
        current.close();
        rmSync(current.path, { force: true });
        current = old;
        return;
      }
      old.close();
      // Off this thread: on a busy disk it may take many milliseconds.
      void rm(old.path, { force: true }).catch(() => {});
    },
    close() {
      unwritten = "";
      current.close();
      rmSync(current.path, { force: true });
    },
  };
}

function holdLine(hold: JournaledHold): string {
  return `${JSON.stringify({ t: "hold", ...hold } satisfies Entry)}\n`;
}

export function journaled({ id, workspaceId, amount, about, reference }: ReferredHold): JournaledHold {
  return { id, workspaceId, amount: amount.toString(), about, reference };
}

/** Put together by hand, and the part that many charges share only once: this runs for every request. */
function chargeLine({ position, id, workspaceId, amount, owed, at, about, figures }: Charge): string {
  const debt = owed === 0n ? "" : `"owed":"${owed}",`;
  return `{"t":"charge","position":${position},"id":"${id}","at":${at},"amount":"${amount}",${debt}"workspaceId":"${workspaceId}","about":${textOf(about)},"figures":"${figures}"}\n`;
}

const texts = new WeakMap<object, string>();
function textOf(value: object | null): string {
  if (value === null) return "null";
  let text = texts.get(value);
  if (text === undefined) {
    text = JSON.stringify(value);
    texts.set(value, text);
  }
  return text;
}

/** The journals of processes that are no more. */
export function findOrphanedJournals(dataDir: string, log: Log): OrphanedJournal[] {
  const folder = journalFolder(dataDir);
  const orphans = new Map<string, OrphanedJournal>();
  for (const name of readdirSync(folder).sort()) {
    if (!/^\d.*\.ndjson$/.test(name) || isOthers(name)) continue;
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    const entries = parseLines<Entry>(text);
    const first = entries[0];
    if (first?.t !== "run") {
      // A process that was killed before its first line leaves nothing.
      if (text === "") rmSync(path, { force: true });
      else setAside(path, join(folder, `quarantine-${name}`), log);
      continue;
    }
    // A process killed while it trimmed leaves two files, which repeat each other.
    const known = orphans.get(first.owner);
    const orphan = readOrphan(entries);
    orphans.set(first.owner, {
      owner: first.owner,
      charges: [...(known?.charges ?? []), ...orphan.charges],
      open: [...(known?.open ?? []), ...orphan.open],
      remove() {
        known?.remove();
        rmSync(path, { force: true });
      },
    });
  }
  for (const orphan of orphans.values()) {
    orphan.charges = distinct(orphan.charges, ({ position }) => position).sort((a, b) => a.position - b.position);
    const charged = new Set(orphan.charges.map(({ id }) => id));
    orphan.open = distinct(orphan.open, ({ id }) => id).filter(({ id }) => !charged.has(id));
  }
  return [...orphans.values()];
}

/** Whose charges these are is not known; they may be read by a person. */
function setAside(path: string, to: string, log: Log): void {
  renameSync(path, to);
  log.error({ file: to }, "a credit journal whose first line cannot be read is in quarantine");
}

function distinct<Value>(values: Value[], nameOf: (value: Value) => unknown): Value[] {
  return [...new Map(values.map((value) => [nameOf(value), value])).values()];
}

function readOrphan(entries: Entry[]): { charges: Charge[]; open: JournaledHold[] } {
  const open = new Map<string, JournaledHold>();
  const charges: Charge[] = [];
  for (const entry of entries) {
    // A damaged disk may leave anything in a line that is still JSON.
    if (!isWhole(entry)) continue;
    if (entry.t === "hold") {
      const { t: _, ...hold } = entry;
      open.set(hold.id, hold);
    } else if (entry.t === "charge") {
      const { t: _, amount, owed = "0", figures, ...rest } = entry;
      const counts = figures === "" ? [] : figures.split(",").map(BigInt);
      charges.push({ ...rest, amount: BigInt(amount), owed: BigInt(owed), figures: counts });
      open.delete(entry.id);
    } else if (entry.t === "release") {
      open.delete(entry.id);
    }
  }
  return { charges, open: [...open.values()] };
}

function isWhole(entry: Entry): boolean {
  const isNumber = (text: unknown) => typeof text === "string" && /^\d{1,18}$/.test(text);
  if (entry.t === "hold") return isNumber(entry.amount) && typeof entry.workspaceId === "string";
  if (entry.t !== "charge") return true;
  const { amount, owed = "0", figures, position, at } = entry;
  const areCounts = typeof figures === "string" && /^(\d{1,25}(,\d{1,25})*)?$/.test(figures);
  return isNumber(amount) && isNumber(owed) && areCounts && Number.isSafeInteger(position) && Number.isFinite(at);
}

export function journalFolder(dataDir: string): string {
  const folder = join(dataDir, "credits");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
