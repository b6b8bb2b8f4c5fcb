/** What the journals of crash-safe buffers have in common: one JSON value a line, in a file named after its process. */

/** The last line of a killed process may be half a line; nobody was told of it, so it is left out. */
export function parseLines<Entry>(text: string): Entry[] {
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as Entry];
    } catch {
      return [];
    }
  });
}

/** Whether the process that wrote a journal still runs, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
