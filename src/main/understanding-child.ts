import { join } from "node:path";
import { serveChild } from "../adapters/engines/host/serve-child.ts";
import { type UnderstandingTasks, understandingTasks } from "../extraction/documents/understanding-tasks.ts";
import { tagDocument } from "../extraction/tag/tag-document.ts";
import { createPageTagger, type PageTagger } from "../extraction/tag/tagger.ts";
import { packageRoot } from "../platform/package-root.ts";
import { openDocument, type SealedDocument } from "../ports/document-reader.ts";

/** The tasks that look for values on the page, and not only at what was found before. */
const tagging = new Set<string>(["understand", "tryTemplate"] satisfies (keyof UnderstandingTasks)[]);

/** The process in which documents and templates are made sense of. */
serveChild({
  load: () => createPageTagger(join(packageRoot(), "models", "tagger")),
  tasks: Object.fromEntries(
    Object.entries(understandingTasks).map(([name, run]) => [
      name,
      async function* (input: { document?: SealedDocument }, tagger: PageTagger) {
        yield run((await openGiven(input, tagging.has(name) ? tagger : undefined)) as never);
      },
    ]),
  ),
});

async function openGiven(input: { document?: SealedDocument }, tagger: PageTagger | undefined): Promise<object> {
  if (!input?.document) return input;
  const document = openDocument(input.document);
  return { ...input, document: tagger ? await tagDocument(document, tagger) : document };
}
