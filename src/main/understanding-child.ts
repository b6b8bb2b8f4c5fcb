import { serveChild } from "../adapters/engines/host/serve-child.ts";
import { understandingTasks } from "../extraction/documents/understanding-tasks.ts";

/** The process in which documents and templates are made sense of. */
serveChild({
  load: async () => undefined,
  tasks: Object.fromEntries(
    Object.entries(understandingTasks).map(([name, run]) => [
      name,
      async function* (input: never) {
        yield run(input);
      },
    ]),
  ),
});
