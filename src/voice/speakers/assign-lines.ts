import type { SpeakerStretch } from "../../ports/diarisation-engine.ts";

interface Line {
  readonly startMs: number;
  readonly endMs: number;
}

/** Whose each line is: of the person who speaks most of it, numbered in the order in which they first speak. A line in which
 *  nobody was heard belongs to the speaker of the line before. */
export function assignLines(lines: readonly Line[], stretches: readonly SpeakerStretch[]): number[] {
  const order = new Map<number, number>();
  let before = 0;
  return lines.map((line) => {
    const speaker = mostHeard(line, stretches);
    if (speaker === undefined) return before;
    if (!order.has(speaker)) order.set(speaker, order.size);
    before = order.get(speaker)!;
    return before;
  });
}

function mostHeard(line: Line, stretches: readonly SpeakerStretch[]): number | undefined {
  const heardMs = new Map<number, number>();
  for (const { startMs, endMs, speaker } of stretches) {
    const overlap = Math.min(endMs, line.endMs) - Math.max(startMs, line.startMs);
    if (overlap > 0) heardMs.set(speaker, (heardMs.get(speaker) ?? 0) + overlap);
  }
  return [...heardMs].sort(([, a], [, b]) => b - a)[0]?.[0];
}
