import { answerVersion, type ClientMessage, type RtviMessage, readClientMessage } from "../rtvi/messages.ts";
import type { CallMode, TurnEvent } from "../turn/turn.ts";
import { readSpeak } from "./read-speak.ts";
import type { Replies } from "./replies.ts";

export interface ClientDeskOptions {
  readonly mode: CallMode;
  readonly replies: Pick<Replies, "size" | "remember" | "protocol">;
  tell(message: RtviMessage): void;
  take(event: TurnEvent): void;
  onReady(): void;
  onLeave(): void;
}

const mostReplies = 50;
const mostTextCharacters = 8000;

/** Takes what the client says about the call, as opposed to what the caller says in it. */
export class ClientDesk {
  readonly #options: ClientDeskOptions;

  constructor(options: ClientDeskOptions) {
    this.#options = options;
  }

  take(text: string): void {
    const message = readClientMessage(text);
    if (message.type === "client-ready") this.#greet(message);
    else if (message.type === "track-status") this.#takeTrack(message.isEnabled);
    else if (message.type === "disconnect-bot") this.#options.onLeave();
    else if (message.type === "refused") this.#refuse(message.id, message.message);
    else if (message.type === "client-message") this.#takeRequest(message);
    else if (message.type === "send-text") this.#takeText(message);
  }

  #greet({ id, version }: ClientMessage & { type: "client-ready" }): void {
    const { replies, onReady, tell } = this.#options;
    const answered = answerVersion(version);
    replies.protocol = answered.startsWith("1.") ? 1 : 2;
    onReady();
    tell({ type: "bot-ready", id, data: { version: answered, about: { library: "parlance" } } });
  }

  #takeTrack(isEnabled: boolean): void {
    if (!isEnabled) this.#options.take({ type: "muted" });
  }

  #takeRequest({ id, name, data }: ClientMessage & { type: "client-message" }): void {
    const { replies, take, tell } = this.#options;
    const speak = name === "speak" ? readSpeak(data) : `Unknown message "${name.slice(0, 100)}". Known: speak.`;
    if (typeof speak === "string") {
      this.#refuse(id, speak);
    } else if (replies.size >= mostReplies) {
      this.#refuse(id, "Too much text is waiting to be spoken.");
    } else {
      const isBusy = replies.size > 0;
      take({ type: "speak", ...speak });
      const status = !isBusy ? "accepted" : speak.isInterrupting ? "interrupted" : "queued";
      tell({ type: "server-response", id, data: { t: name, d: { status } } });
    }
  }

  #takeText({ id, content, isAnswered, isSpoken }: ClientMessage & { type: "send-text" }): void {
    const { mode, replies, take } = this.#options;
    if (mode === "external") {
      this.#refuse(id, "This call has no language model: send a client-message speak.");
    } else if (content.length > mostTextCharacters) {
      this.#refuse(id, `"content" must have at most ${mostTextCharacters} characters.`);
    } else if (isAnswered) take({ type: "text-sent", text: content, isSpoken });
    else replies.remember(content);
  }

  #refuse(id: string, error: string): void {
    this.#options.tell({ type: "error-response", id, data: { error } });
  }
}
