export const dayMs = 86_400_000;

/** The date (UTC) of a day that is counted from 1970. */
export function isoDate(dayNumber: number): string {
  return isoDateOf(new Date(dayNumber * dayMs));
}

export function isoDateOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
