import type { Outcome } from "./outcome.ts";

/** How honest the confidences are: expected calibration error over ten bins, and how often fields at 0.9 or more are right. */
export function measureCalibration(outcomes: readonly Outcome[]): {
  error: number;
  sure: { right: number; all: number };
  bins: { from: number; all: number; mean: number; right: number }[];
} {
  const reported = outcomes.filter((outcome) => outcome.confidence !== undefined);
  const bins = Array.from({ length: 10 }, (_, index) => {
    const inside = reported.filter((outcome) => Math.min(9, Math.floor(outcome.confidence! * 10)) === index);
    return {
      from: index / 10,
      all: inside.length,
      mean: inside.reduce((sum, outcome) => sum + outcome.confidence!, 0) / Math.max(1, inside.length),
      right: inside.filter((outcome) => outcome.isRight).length / Math.max(1, inside.length),
    };
  });
  const error = bins.reduce(
    (sum, bin) => sum + (bin.all / Math.max(1, reported.length)) * Math.abs(bin.mean - bin.right),
    0,
  );
  const sure = reported.filter((outcome) => outcome.confidence! >= 0.9);
  return { error, sure: { right: sure.filter((outcome) => outcome.isRight).length, all: sure.length }, bins };
}
