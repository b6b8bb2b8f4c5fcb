import { serveChild } from "../adapters/engines/host/serve-child.ts";
import { understandingTasks } from "../extraction/documents/understanding-tasks.ts";
import { openDocument, type SealedDocument } from "../ports/document-reader.ts";

/** The process in which documents and templates are made sense of. */
serveChild({
  load: async () => undefined,
  tasks: Object.fromEntries(
    Object.entries(understandingTasks).map(([name, run]) => [
      name,
      async function* (input: { document?: SealedDocument }) {
        yield run(openGiven(input) as never);
      },
    ]),
  ),
});

function openGiven(input: { document?: SealedDocument }): object {
  return input?.document ? { ...input, document: openDocument(input.document) } : input;
}
