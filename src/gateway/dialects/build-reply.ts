import type { Part, Reply, TurnEvent } from "./turn.ts";

/** Puts a reply together from its events. */
export class ReplyBuilder {
  readonly parts: Part[] = [];
  #head: Reply["head"] | undefined;
  #end: Reply["end"] | undefined;

  add(event: TurnEvent): void {
    switch (event.type) {
      case "begin":
        this.#head = event.head;
        return;
      case "open":
        this.parts[event.index] = event.part;
        return;
      case "more":
        this.parts[event.index] = withMore(this.parts[event.index]!, event.text);
        return;
      case "mark":
        this.parts[event.index] = {
          ...(this.parts[event.index] as Extract<Part, { type: "reasoning" }>),
          ...event.marks,
        };
        return;
      case "end":
        this.#end = event.end;
    }
  }

  /** Undefined as long as it is not whole. */
  get reply(): Reply | undefined {
    return this.#head && this.#end && { head: this.#head, parts: this.parts, end: this.#end };
  }
}

function withMore(part: Part, text: string): Part {
  if (part.type === "call") return { ...part, arguments: part.arguments + text };
  return "text" in part ? { ...part, text: part.text + text } : part;
}
