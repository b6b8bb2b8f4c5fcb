/** Below this a frame is silent. */
export const SILENT_BELOW = 0.35;
/** A voice that was as sure as this and no longer is has probably ended: voice activity takes a while to let go of it. */
const SURE = 0.7;
/** A voice that fades for longer may still be speaking. */
const MOST_FADING_FRAMES = 2;

/** Tells from the probabilities of speech, frame by frame, whether the speaker has fallen silent or is just about to. */
export class FallingSilent {
  #before = 0;
  #fadingFrames = 0;

  update(probability: number): boolean {
    const before = this.#before;
    this.#before = probability;
    if (probability < SILENT_BELOW) return true;
    const hasBegun = this.#fadingFrames > 0 ? probability < before : probability < SURE && before >= SURE;
    this.#fadingFrames = hasBegun && this.#fadingFrames < MOST_FADING_FRAMES ? this.#fadingFrames + 1 : 0;
    return this.#fadingFrames > 0;
  }
}
