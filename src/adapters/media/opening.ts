/** A page learns of a voice by its first packets. */
const announcedBy = 3;
/** Until a page plays it. Chromium keeps what comes before and plays all of it, late: the voice was 460 ms behind when it began, and still
 *  110 ms after fifteen seconds. With this pause it is 110 ms behind from the beginning. Attaching takes half a second; the rest is a guess. */
const attachMs = 1500;

/** Which frames are sent when a voice has just been connected: its first ones, then no silence until somebody listens. */
export class Opening {
  #startedMs: number | undefined;
  #announced = 0;

  sends(isSound: boolean, atMs: number): boolean {
    this.#startedMs ??= atMs;
    if (isSound || atMs - this.#startedMs >= attachMs) return true;
    this.#announced += 1;
    return this.#announced <= announcedBy;
  }
}
