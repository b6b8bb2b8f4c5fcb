/** One program of a mode's pipeline with its arguments. */
export type Stage = readonly string[];

/** A mode file is a line of shell: programs with quoted files, joined by bars. `$1` says how words are generated and `$2` what
 *  the tagger shows; every program is told to answer at each zero byte (`-z`), so that it can be kept running. */
export function readMode(line: string): Stage[] {
  return splitOutsideQuotes(line.trim(), "|").map((command) => {
    const [program, ...given] = splitOutsideQuotes(command.trim(), " ")
      .filter((word) => word !== "")
      .map((word) => word.replace(/^(['"])(.*)\1$/s, "$2"));
    const words = given.flatMap((word) => (word === "$1" ? ["-n"] : word === "$2" ? [] : [word]));
    return [program!, "-z", ...words.filter((word) => word !== "-z")];
  });
}

/** For a shell to run: real pipes between the programs are faster than copying through this process. */
export function writePipeline(stages: readonly Stage[]): string {
  return stages.map((stage) => stage.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ")).join(" | ");
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let current = "";
  let quote = "";
  for (const character of text) {
    if (quote === "" && (character === "'" || character === '"')) quote = character;
    else if (character === quote) quote = "";
    if (character === separator && quote === "") {
      parts.push(current);
      current = "";
    } else current += character;
  }
  return [...parts, current];
}
