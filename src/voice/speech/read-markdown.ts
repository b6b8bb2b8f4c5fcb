/** Takes Markdown's marks away and leaves what a person would read: the words of links, headings as sentences, a table row by row.
 *  Text that is no Markdown stays as it is. */
export function readMarkdown(text: string): string {
  if (!/[#*_`[\]|~>-]/u.test(text)) return text;
  return (
    text
      .replace(/^ {0,3}(?:```|~~~)[^\n]*$/gmu, "")
      .replace(/^ {0,3}(?:[-*_] ?){3,}$/gmu, "")
      .replace(/^ {0,3}\|?(?: ?:?-{2,}:? ?\|)+ ?(?::?-{2,}:?)? ?$/gmu, "")
      .replace(/^ {0,3}\|(.+)\|? *$/gmu, (_, row: string) => readRow(row))
      .replace(/^ {0,3}#{1,6} +(.+?)(?: +#+)? *$/gmu, (_, title: string) => `${endSentence(title)}\n`)
      .replace(/^ {0,3}(?:> ?)+/gmu, "")
      .replace(/^[ \t]*[-*+•] +(?:\[[ xX]\] +)?(.+)$/gmu, (_, item: string) => endSentence(item))
      .replace(/!\[([^\]\n]*)\]\([^()\n]*\)/gu, "$1")
      // A pronunciation between slashes is not an address.
      .replace(/\[([^\]\n]+)\]\((?!\/[^/\n]+\/\))[^()\s]*(?: "[^"\n]*")?\)/gu, "$1")
      .replace(/<((?:https?:\/\/|mailto:)[^\s>]+)>/gu, "$1")
      .replace(/(?<![\p{L}\d*])(\*{1,3})(?=\S)([^*\n]+?)(?<=\S)\1(?![\p{L}\d*])/gu, "$2")
      .replace(/(?<![\p{L}\d_])(_{1,3})(?=\S)([^\n]+?)(?<=\S)\1(?![\p{L}\d_])/gu, "$2")
      .replace(/~~(?=\S)([^~\n]+?)~~/gu, "$1")
      .replace(/(`+)([^`\n]+)\1/gu, "$2")
  );
}

function readRow(row: string): string {
  const cells = row
    .split("|")
    .map((cell) => cell.trim())
    .filter(Boolean);
  return endSentence(cells.join(", "));
}

/** A heading or an item ends like a sentence, so that the voice falls. */
function endSentence(words: string): string {
  return /[\p{L}\p{N})\]"”’'*_`]$/u.test(words.trim()) ? `${words.trim()}.` : words.trim();
}
