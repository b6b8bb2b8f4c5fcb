import { Problem } from "../../platform/errors.ts";
import type { ReadDocument, SealedDocument } from "../../ports/document-reader.ts";
import type { EngineHost } from "../../ports/engine-host.ts";
import { type UnderstandingTasks, understandingTasks } from "./understanding-tasks.ts";

/** Whose work this is, so that turns are shared, and until when it is wanted. */
export interface UnderstandingTurn {
  readonly key: string;
  readonly signal: AbortSignal;
}

/** What a task is given, its document still sealed. */
type Sealed<Input> = Input extends { readonly document: ReadDocument }
  ? Omit<Input, "document"> & { readonly document: SealedDocument }
  : Input;

/** Makes sense of what was read, in a process of its own: documents and templates are other people's, and may be made to take for
 *  ever or to bring the process down. */
export type Understanding = {
  [Name in keyof UnderstandingTasks]: (
    input: Sealed<Parameters<UnderstandingTasks[Name]>[0]>,
    turn: UnderstandingTurn,
  ) => Promise<ReturnType<UnderstandingTasks[Name]>>;
};

/** A page takes about ten milliseconds, and a document has fifty pages at most. */
const documentMs = 60_000;
/** A template or a schema is a few kilobytes. */
const parsingMs = 5_000;
/** What is at fault where a task is given something that cannot be dealt with. */
const parsed: Partial<Record<keyof UnderstandingTasks, string>> = { parseTemplate: "template", parseSchema: "schema" };

export function createUnderstanding(host: EngineHost): Understanding {
  const ask =
    (name: keyof UnderstandingTasks) =>
    async (input: unknown, { key, signal }: UnderstandingTurn): Promise<unknown> => {
      const given = parsed[name];
      try {
        return await host.ask(name, input, { key, signal, deadlineMs: given ? parsingMs : documentMs });
      } catch (error) {
        signal.throwIfAborted();
        const isTheirFault =
          error instanceof Problem &&
          error.kind === "engine_unavailable" &&
          /took longer|of memory|ended unexpectedly \((?!SIGKILL|SIGTERM)/.test(error.message);
        if (!isTheirFault) throw error;
        throw given
          ? new Problem("invalid_request", `The ${given} is more than can be sorted out.`, { cause: error })
          : new Problem("unreadable_document", "The document holds more than can be sorted out.", { cause: error });
      }
    };
  const names = Object.keys(understandingTasks) as (keyof UnderstandingTasks)[];
  return Object.fromEntries(names.map((name) => [name, ask(name)])) as never;
}
