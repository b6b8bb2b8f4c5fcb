import type { TurnEvent } from "../turn.ts";

/** Puts the parts of a reply one after another, for a dialect that knows nothing else: what comes of a later part waits until the
 *  earlier one is closed. */
export class OneAtATime {
  readonly #waiting = new Map<number, TurnEvent[]>();
  #current: number | undefined;

  take(event: TurnEvent): TurnEvent[] {
    if (!("index" in event)) return [event];
    if (this.#current !== undefined && event.index !== this.#current) {
      const waiting = this.#waiting.get(event.index);
      if (waiting) waiting.push(event);
      else this.#waiting.set(event.index, [event]);
      return [];
    }
    this.#current = event.type === "close" ? undefined : event.index;
    const ready: TurnEvent[] = [event];
    for (const [index, events] of this.#waiting) {
      if (this.#current !== undefined) break;
      this.#waiting.delete(index);
      ready.push(...events);
      this.#current = events.at(-1)!.type === "close" ? undefined : index;
    }
    return ready;
  }
}
