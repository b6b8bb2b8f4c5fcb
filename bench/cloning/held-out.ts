/** Speakers of Piper that the map is never fitted on, so that the bench may judge it by them: 25 of 904. */
export function isHeldOut(speaker: number): boolean {
  return speaker % 36 === 5;
}
