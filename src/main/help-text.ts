import { createProgram } from "./create-program.ts";

/** What `parlance --help` prints, at the width that Commander takes where there is no terminal. */
export function helpText(): string {
  let text = "";
  createProgram()
    .configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 80 })
    .outputHelp();
  return text;
}
