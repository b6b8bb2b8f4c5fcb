/** What reaches the phonemizer has no controls, no halves of characters, and one kind of blank. */
export function cleanText(text: string): string {
  return (
    text
      .replace(/[\uD800-\uDFFF]/gu, " ") // halves of a character that have lost the other half
      .normalize("NFC")
      .replace(/\r\n?|[\u2028\u2029]/gu, "\n")
      .replace(/(?!\n)\p{Cc}|\p{Co}/gu, " ")
      // Marks of direction and invisible joints say nothing aloud; joiners shape letters of India and Arabia and stay.
      .replace(/[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\u00AD]/gu, "")
      .replace(/[^\S\n]+/gu, " ")
      .replace(/(\p{M})\1{3,}/gu, "$1$1") // a letter with a tower of the same accent
      .replace(/^[ \t]*[-*•‣▪]\s+/gmu, "") // the dots and dashes of a list
      .trim()
  );
}
