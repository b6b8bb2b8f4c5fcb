export const dayMs = 86_400_000;

/** The date (UTC) of a day that is counted from 1970. */
export function isoDate(dayNumber: number): string {
  return new Date(dayNumber * dayMs).toISOString().slice(0, 10);
}
