import { helpText } from "../src/main/help-text.ts";

/** Prints bin/help.txt: `npm run --silent help-text > bin/help.txt`. */
process.stdout.write(helpText());
