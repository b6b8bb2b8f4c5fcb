const CLOCK = /(?<![\d:.,])(1[0-2]|0?[1-9])(?::([0-5]\d))? ?([ap])(?:\.m\.?|m)(?![\p{L}\d])/giu;

/** "10 AM" as 10:00 and "5:30 p.m." as 17:30: the net takes AM for something else, and most languages count the hours to 24 anyway. */
export function writeFullTimes(text: string, language: string): string {
  if (language !== "en") return text;
  return text.replace(CLOCK, (match, hour: string, minute = "00", half: string, at: number) => {
    const hours = (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
    // The point of "p.m." may be the sentence's too.
    const isEnd = match.endsWith(".") && text.slice(at + match.length).trim() === "";
    return `${hours}:${minute}${isEnd ? "." : ""}`;
  });
}
