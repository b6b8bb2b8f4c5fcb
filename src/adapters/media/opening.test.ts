import { describe, expect, it } from "vitest";
import { Opening } from "./opening.ts";

/** How many frames of silence are sent between two moments. */
function countSent(opening: Opening, fromMs: number, untilMs: number): number {
  let sent = 0;
  for (let atMs = fromMs; atMs < untilMs; atMs += 20) if (opening.sends(false, atMs)) sent += 1;
  return sent;
}

describe("a voice that has just been connected", () => {
  it("is announced by three frames of silence, and goes on when the page has had time to attach it", () => {
    const opening = new Opening();
    expect(countSent(opening, 1000, 2500)).toBe(3);
    expect(countSent(opening, 2500, 3500)).toBe(50);
  });

  it("is heard at once when it has something to say", () => {
    const opening = new Opening();
    countSent(opening, 1000, 1200);
    expect(opening.sends(true, 1200)).toBe(true);
  });
});
