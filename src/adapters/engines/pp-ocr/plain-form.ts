/** The form in which a European document has a character: the broad recogniser also writes wide ones and Chinese full stops. */
export function plainForm(character: string): string {
  return character.normalize("NFKC").replace(/[·・]/g, ".");
}
