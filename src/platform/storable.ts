/** What may be written into records that other requests share: a value that the database refuses would hold up all of them. */

/** The names of models are the longest texts in records, and no provider's has a third of this. */
const longestText = 500;
/** The columns of counts are 32 bits wide. */
const largestCount = 2 ** 31 - 1;

/** PostgreSQL holds no NUL and no half of a surrogate pair; control characters have no business in a name. */
export function storableText(text: string, most = longestText): string {
  if (text.length <= most && /^[\x20-\x7e]*$/.test(text)) return text;
  return text.slice(0, most).replace(/[\p{Cc}\p{Cs}]/gu, "\ufffd");
}

/** A whole number that is not negative and fits its column. */
export function storableCount(count: number, most = largestCount): number {
  if (!(count > 0)) return 0;
  return count > most ? most : Math.round(count);
}
