/** The form in which a document is searched for a character: "²" is 2, "№" is No. */
export function plainForm(character: string): string {
  return character.normalize("NFKC").replace(/[·・]/g, ".");
}
