import type { Bus } from "../../ports/bus.ts";
import { type Catalog, lanesOf } from "./catalog.ts";
import { type Beat, type Lane, type Load, pack, subjects, type ToNode, type ToWorker, unpack } from "./protocol.ts";

/** Workers say that they live this often; one that misses three beats is no longer counted on. */
export const beatMs = 1000;
const forgottenAfterMs = 3.5 * beatMs;
/** One that has missed a beat may be busy, or may be standing still. */
const justNowMs = 1.5 * beatMs;

interface Known extends Beat {
  seenAtMs: number;
}

export interface Roster {
  /** What the workers of now can do, each kind of catalog once. */
  catalogs(): readonly Catalog[];
  /** Of one engine over all workers that have it; undefined when none has. */
  load(engine: string): (Load & { workers: number }) | undefined;
  /** How long a job takes the quickest worker with a free place. */
  bestMs(engine: string): number | undefined;
  /** The least busy of the workers that serve a lane and gave a sign of life just now, but for those in `not`. */
  pick(lane: Lane, not: ReadonlySet<string>): string | undefined;
  /** Workers that are there. */
  readonly size: number;
  close(): void;
}

/** Who works in this installation, by what the workers say about themselves. */
export function createRoster(bus: Bus, name: string, node: string): Roster {
  const to = subjects(name);
  const workers = new Map<string, Known>();
  const catalogs = new Map<string, Catalog>();
  /** The subjects that each catalog serves. */
  const lanes = new Map<string, ReadonlySet<string>>();
  const asked = new Map<string, number>();

  const beats = bus.subscribe(to.beat, ({ data }) => {
    const beat = unpack<Beat>(data);
    if (!beat?.worker) return;
    workers.set(beat.worker, { ...beat, seenAtMs: performance.now() });
    if (!catalogs.has(beat.catalog)) fetchCatalog(beat);
  });
  const answers = bus.subscribe(`${to.node(node)}.catalog.>`, ({ data, subject, isNobody }) => {
    const answer = isNobody ? undefined : unpack<ToNode>(data);
    if (answer?.type !== "catalog") return;
    const hash = subject.slice(subject.lastIndexOf(".") + 1);
    const catalog = JSON.parse(answer.text) as Catalog;
    catalogs.set(hash, catalog);
    lanes.set(hash, new Set(lanesOf(catalog).map((lane) => to.lane(lane))));
  });
  const hello = () => bus.publish(to.hello, pack({}));
  bus.onUp(hello);
  hello();

  function fetchCatalog({ worker, catalog }: Beat): void {
    const now = performance.now();
    if (now - (asked.get(catalog) ?? Number.NEGATIVE_INFINITY) < beatMs / 2) return;
    asked.set(catalog, now);
    bus.publish(to.worker(worker), pack({ type: "catalog" } satisfies ToWorker), `${to.node(node)}.catalog.${catalog}`);
  }

  function live(): Known[] {
    const since = performance.now() - forgottenAfterMs;
    for (const [id, { seenAtMs }] of workers) if (seenAtMs < since) workers.delete(id);
    const used = new Set([...workers.values()].map(({ catalog }) => catalog));
    for (const known of catalogs.keys()) {
      if (used.has(known)) continue;
      catalogs.delete(known);
      lanes.delete(known);
    }
    return [...workers.values()].filter(({ isDraining }) => !isDraining);
  }

  const loadsOf = (engine: string) => live().flatMap(({ loads }) => (loads[engine] ? [loads[engine]] : []));

  return {
    catalogs() {
      const names = new Set(live().map(({ catalog }) => catalog));
      return [...names].flatMap((one) => catalogs.get(one) ?? []);
    },
    load(engine) {
      const loads = loadsOf(engine);
      if (loads.length === 0) return undefined;
      const sum = (pick: (load: Load) => number) => loads.reduce((total, load) => total + pick(load), 0);
      return {
        workers: loads.length,
        queued: sum(({ queued }) => queued),
        active: sum(({ active }) => active),
        places: sum(({ places }) => places),
        meanJobMs: sum(({ meanJobMs }) => meanJobMs) / loads.length,
        oldestWaitMs: Math.max(...loads.map(({ oldestWaitMs }) => oldestWaitMs)),
      };
    },
    bestMs(engine) {
      const free = loadsOf(engine).filter(({ queued, active, places }) => queued === 0 && active < places);
      return free.length === 0 ? undefined : Math.min(...free.map(({ meanJobMs }) => meanJobMs));
    },
    pick(lane, not) {
      const since = performance.now() - justNowMs;
      const serving = live().filter(
        ({ worker, seenAtMs, catalog }) =>
          !not.has(worker) && seenAtMs > since && lanes.get(catalog)?.has(to.lane(lane)),
      );
      const waitOf = ({ loads }: Known) => {
        const { queued, active, places, meanJobMs } = loads[lane.engine]!;
        return ((queued + active) * meanJobMs) / Math.max(1, places);
      };
      return serving.sort((a, b) => waitOf(a) - waitOf(b))[0]?.worker;
    },
    get size() {
      return live().length;
    },
    close() {
      beats.stop();
      answers.stop();
    },
  };
}
