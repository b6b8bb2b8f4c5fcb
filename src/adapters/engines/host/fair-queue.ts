/** A bounded queue that shares turns evenly: first between keys, then between the flows of one key.
 *
 *  Each key and each flow has a clock that advances by the size of what it was given; the one furthest behind goes next,
 *  and among equals the smallest job. A newcomer starts at the clock of those already waiting, so it can neither starve
 *  the others nor be starved by them. */
export class FairQueue<Item> {
  readonly #keys = new Map<string, KeyLane<Item>>();
  readonly #limit: number;
  #length = 0;
  #clock = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  /** Since when the longest waiting job waits, on the clock of `performance.now()`. */
  get oldestMs(): number | undefined {
    let oldest: number | undefined;
    for (const { flows } of this.#keys.values()) {
      for (const { waiting } of flows.values()) {
        const sinceMs = waiting[0]?.sinceMs;
        if (sinceMs !== undefined && (oldest === undefined || sinceMs < oldest)) oldest = sinceMs;
      }
    }
    return oldest;
  }

  /** Whether one more job of this key fits. A key gets half of the places at most, and so does a workspace (what stands before the
   *  slash of its keys), so that others always find some. */
  hasRoom(key: string): boolean {
    if (this.#length >= this.#limit) return false;
    const share = Math.max(1, Math.floor(this.#limit / 2));
    const workspace = workspaceOf(key);
    let waiting = 0;
    for (const [other, lane] of this.#keys) if (workspaceOf(other) === workspace) waiting += lane.length;
    return waiting < share;
  }

  push(item: Item, key: string, flow: string, size: number): Ticket<Item> {
    let lane = this.#keys.get(key);
    if (!lane) {
      lane = { clock: this.#clock, floor: 0, length: 0, flows: new Map() };
      this.#keys.set(key, lane);
    }
    lane.clock = Math.max(lane.clock, this.#clock);
    let line = lane.flows.get(flow);
    if (!line) {
      line = { clock: lane.floor, waiting: [] };
      lane.flows.set(flow, line);
    }
    const ticket = { item, key, flow, size, sinceMs: performance.now() };
    line.waiting.push(ticket);
    lane.length += 1;
    this.#length += 1;
    return ticket;
  }

  /** The next job, of the keys that may have one now, and of those jobs that fit. */
  shift(
    mayRun: (key: string) => boolean = () => true,
    fits: (ticket: Ticket<Item>) => boolean = () => true,
  ): Ticket<Item> | undefined {
    const ready = [...this.#keys].filter(([key]) => mayRun(key)).map(([, lane]) => lane);
    const sizeOf = ({ waiting: [head] }: FlowLine<Item>) => (head && fits(head) ? head.size : Number.POSITIVE_INFINITY);
    const lane = furthestBehind(ready, ({ flows }) => Math.min(...[...flows.values()].map(sizeOf)));
    if (!lane) return undefined;
    const line = furthestBehind(lane.flows.values(), sizeOf);
    const ticket = line?.waiting.shift();
    if (!line || !ticket) return undefined;
    this.#clock = lane.clock;
    lane.floor = line.clock;
    lane.clock += ticket.size;
    line.clock += ticket.size;
    lane.length -= 1;
    this.#length -= 1;
    this.#forgetEmpty(ticket);
    return ticket;
  }

  /** Takes a waiting item out again. False when it has already left the queue. */
  remove(ticket: Ticket<Item>): boolean {
    const lane = this.#keys.get(ticket.key);
    const waiting = lane?.flows.get(ticket.flow)?.waiting;
    const place = waiting?.indexOf(ticket) ?? -1;
    if (!lane || !waiting || place < 0) return false;
    waiting.splice(place, 1);
    lane.length -= 1;
    this.#length -= 1;
    this.#forgetEmpty(ticket);
    return true;
  }

  /** A flow that pauses between two of its jobs keeps its clock while its key still waits for something. */
  #forgetEmpty(ticket: Ticket<Item>): void {
    const lane = this.#keys.get(ticket.key);
    if (!lane) return;
    for (const line of lane.flows.values()) if (line.waiting.length > 0) return;
    if (lane.flows.size > 64) lane.flows.clear();
    // The key's own clock must outlive its last job for a moment, or a key that sends one job at a time would jump the queue.
    if (lane.clock <= this.#clock || this.#length === 0) this.#keys.delete(ticket.key);
  }
}

export interface Ticket<Item> {
  item: Item;
  key: string;
  flow: string;
  size: number;
  sinceMs: number;
}

interface FlowLine<Item> {
  clock: number;
  waiting: Ticket<Item>[];
}

interface KeyLane<Item> {
  clock: number;
  floor: number;
  /** Jobs that wait, of all its flows. */
  length: number;
  flows: Map<string, FlowLine<Item>>;
}

function workspaceOf(key: string): string {
  const slash = key.indexOf("/");
  return slash < 0 ? key : key.slice(0, slash);
}

/** The lowest clock wins, then the smallest waiting job; lanes with nothing waiting never win. */
function furthestBehind<Lane extends { clock: number }>(
  lanes: Iterable<Lane>,
  sizeOf: (lane: Lane) => number,
): Lane | undefined {
  let best: Lane | undefined;
  let bestSize = Number.POSITIVE_INFINITY;
  for (const lane of lanes) {
    const size = sizeOf(lane);
    if (size === Number.POSITIVE_INFINITY) continue;
    if (!best || lane.clock < best.clock || (lane.clock === best.clock && size < bestSize)) {
      best = lane;
      bestSize = size;
    }
  }
  return best;
}
