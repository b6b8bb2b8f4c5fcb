import { ReplyBuilder } from "../dialects/build-reply.ts";
import { type Dialect, optional, writeEvent } from "../dialects/dialect.ts";
import type { CallPart, Part, TurnEvent } from "../dialects/turn.ts";
import type { Json } from "../json.ts";
import { writeCallSignature, writeMarks } from "./metadata.ts";
import { PartStreamReader } from "./read-stream.ts";
import { readGenerated, writeContent, writeFinish, writeGenerated, writeHead } from "./replies.ts";
import { readCallOptions, writeCallOptions } from "./requests.ts";

/** Language models as the AI SDK's own gateway provider asks for them: version 3 of its specification of models. */
export const languageDialect: Dialect = {
  endpoint: "language-model",
  idPrefix: "gen_",
  outputLimits: ["maxOutputTokens"],
  readRequest: readCallOptions,
  writeRequest: writeCallOptions,
  readReply: readGenerated,
  writeReply: writeGenerated,
  readStream: () => new PartStreamReader(),
  writeStream() {
    const writer = new PartStreamWriter();
    return (event) => writer.write(event);
  },
};

const part = (type: string, data: Json = {}) => writeEvent({ type, ...data });

class PartStreamWriter {
  readonly #reply = new ReplyBuilder();

  write(event: TurnEvent): string {
    this.#reply.add(event);
    switch (event.type) {
      case "begin":
        return part("stream-start", { warnings: [] }) + part("response-metadata", writeHead(event.head));
      case "open":
        return this.#open(event.index, event.part);
      case "more":
        return this.#more(event.index, event.text);
      case "close":
        return this.#close(event.index);
      case "end":
        return part("finish", writeFinish(event.end));
      case "fail":
        return part("error", { error: { message: event.message } });
      default:
        return "";
    }
  }

  #open(index: number, opened: Part): string {
    const said = this.#saidIn(opened);
    const more = said === "" ? "" : this.#more(index, said);
    switch (opened.type) {
      case "text":
      case "refusal":
        return part("text-start", { id: `text-${index}` }) + more;
      case "reasoning":
        return part("reasoning-start", { id: `reasoning-${index}` }) + more;
      case "call":
        return part("tool-input-start", { id: opened.id, toolName: opened.name, ...this.#signatureOf(opened) }) + more;
      default:
        return "";
    }
  }

  #signatureOf({ signature }: CallPart): Json {
    return optional({ providerMetadata: writeCallSignature(signature) });
  }

  #saidIn(opened: Part): string {
    return opened.type === "call" ? opened.arguments : "text" in opened ? opened.text : "";
  }

  #more(index: number, delta: string): string {
    const open = this.#reply.parts[index]!;
    if (open.type === "call") return part("tool-input-delta", { id: open.id, delta });
    const kind = open.type === "reasoning" ? "reasoning" : "text";
    return part(`${kind}-delta`, { id: `${kind}-${index}`, delta });
  }

  #close(index: number): string {
    const whole = this.#reply.parts[index]!;
    switch (whole.type) {
      case "text":
      case "refusal":
        return part("text-end", { id: `text-${index}` });
      case "reasoning": {
        const providerMetadata = writeMarks(whole);
        return part("reasoning-end", { id: `reasoning-${index}`, ...(providerMetadata ? { providerMetadata } : {}) });
      }
      case "call":
        return part("tool-input-end", { id: whole.id }) + writeEvent(writeContent(whole, index));
      default:
        return writeEvent(writeContent(whole, index));
    }
  }
}
