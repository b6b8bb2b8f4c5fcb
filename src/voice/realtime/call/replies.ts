import { type TurnTaker, turnOf } from "../../../accounts/turn-of.ts";
import type { PlatformLog } from "../../../platform/log.ts";
import { readAhead } from "../../../platform/read-ahead.ts";
import type { ChatEngine, ChatMessage } from "../../../ports/chat-engine.ts";
import type { SpeechEngine } from "../../../ports/speech-engine.ts";
import { startAnswer } from "../../chat/converse.ts";
import type { VoiceLoudness } from "../../speech/level-speech.ts";
import { type SpeechWanted, startSpeech } from "../../speech/synthesize.ts";
import type { RtviMessage } from "../rtvi/messages.ts";
import type { TurnEvent } from "../turn/turn.ts";
import type { CallSettings } from "./call-settings.ts";
import { ClauseCutter } from "./clause-cutter.ts";
import { Conversation } from "./conversation.ts";
import { Reply, type ReplyOptions, replyProblem, type VoiceOut } from "./reply.ts";
import type { TurnClock } from "./turn-clock.ts";

export interface RepliesOptions {
  readonly speech: SpeechEngine;
  readonly chat: ChatEngine;
  readonly log: PlatformLog;
  readonly sessionId: string;
  readonly caller: TurnTaker;
  readonly settings: CallSettings;
  readonly speaks: Omit<SpeechWanted, "text">;
  readonly clock: TurnClock;
  readonly out: VoiceOut;
  tell(message: RtviMessage): void;
  take(event: TurnEvent): void;
}

/** Answers are spoken: nobody listens to more at once. */
const mostReplyTokens = 300;

/** Everything that the bot says in a call, and the conversation that grows from it. */
export class Replies {
  /** 1 for clients that know nothing of progress. */
  protocol: 1 | 2 = 2;
  readonly tokens = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  readonly #options: RepliesOptions;
  readonly #conversation: Conversation;
  readonly #replies = new Map<number, Reply>();
  readonly #abort = new AbortController();
  readonly #loudness: VoiceLoudness = {};
  #nextClip = 1;
  #spoken: Promise<void> = Promise.resolve();

  constructor(options: RepliesOptions) {
    this.#options = options;
    this.#conversation = new Conversation(options.settings);
  }

  get size(): number {
    return this.#replies.size;
  }

  /** The caller's words are part of the conversation now. */
  remember(text: string): void {
    this.#conversation.add("user", text);
  }

  speak(id: number, text: string): void {
    const before = this.#spoken;
    let finish = () => {};
    this.#spoken = new Promise((resolve) => {
      finish = resolve;
    });
    this.#add(id, true, async function* ({ signal }) {
      try {
        // Texts are synthesized in the order in which they are spoken.
        await Promise.race([before, aborted(signal)]);
        const cutter = new ClauseCutter();
        yield* [...cutter.push(text), ...cutter.end()];
      } finally {
        finish();
      }
    });
  }

  answer(id: number, heard: string, isSpoken: boolean): void {
    const messages = this.#conversation.with(heard);
    this.#options.clock.answerBegan(id);
    this.#add(id, isSpoken, (reply) => readAhead(this.#write(id, messages, reply)));
  }

  release(id: number): void {
    this.#replies.get(id)?.release();
  }

  cancel(id: number): void {
    this.#replies.get(id)?.cancel();
    this.#settle(id);
  }

  played(clip: number, playedMs: number, isOver: boolean): void {
    for (const reply of [...this.#replies.values()]) {
      if (reply.owns(clip)) reply.played(clip, playedMs, isOver);
    }
  }

  /** Lets the model read what every answer begins with, while nobody waits for it. */
  warm(): void {
    if (this.#options.settings.mode === "external" || this.#replies.size > 0) return;
    const { chat, caller, sessionId: flow } = this.#options;
    const request = { messages: this.#conversation.withoutQuestion, maxTokens: 1, key: turnOf(caller), flow };
    void (async () => {
      for await (const _ of chat.answer(request, this.#abort.signal));
    })().catch(() => {
      // Whoever asks next is told what is wrong.
    });
  }

  /** Nothing of the call is kept. */
  end(): void {
    for (const reply of this.#replies.values()) reply.cancel();
    this.#replies.clear();
    this.#abort.abort(new Error("the call is over"));
    this.#options.chat.forget?.(this.#options.sessionId);
  }

  async *#write(
    id: number,
    messages: readonly ChatMessage[],
    { signal, tell }: Parameters<ReplyOptions["clauses"]>[0],
  ): AsyncGenerator<string> {
    const { chat, log, clock, settings, caller, sessionId: flow } = this.#options;
    const cutter = new ClauseCutter();
    tell({ type: "user-llm-text", data: { text: messages.at(-1)!.content } });
    tell({ type: "bot-llm-started" });
    const wanted = { messages, temperature: settings.temperature, maxTokens: mostReplyTokens };
    let text = "";
    for await (const event of startAnswer(chat, wanted, { key: turnOf(caller), flow }, signal)) {
      if (event.type === "delta") {
        clock.firstToken(id);
        text += event.text;
        tell({ type: "bot-llm-text", data: { text: event.text } });
        yield* cutter.push(event.text);
      } else {
        this.tokens.inputTokens += event.usage.inputTokens;
        this.tokens.outputTokens += event.usage.outputTokens;
        this.tokens.cachedTokens += event.usage.cachedTokens ?? 0;
      }
    }
    log.info({ session: flow, reply: log.words(text) }, "call answered");
    tell({ type: "bot-llm-stopped" });
    yield* cutter.end();
  }

  #add(id: number, isSpoken: boolean, clauses: ReplyOptions["clauses"]): void {
    const { speech, speaks, caller, out, tell, clock, take } = this.#options;
    const reply = new Reply({
      clauses,
      isSpoken,
      protocol: this.protocol,
      speak: (text, signal) => startSpeech(speech, { ...speaks, text, loudness: this.#loudness }, caller, signal),
      nextClip: () => this.#nextClip++,
      out,
      tell,
      onSound: () => clock.firstSound(id),
      onAudible() {
        take({ type: "reply-audible", reply: id });
        clock.audible(id);
      },
      onFinished: () => {
        this.#settle(id);
        take({ type: "reply-finished", reply: id });
        if (isSpoken) tell({ type: "bot-tts-stopped" });
      },
      onFailed: (error) => {
        this.#options.log.warn({ session: this.#options.sessionId, error: String(error) }, "reply lost");
        this.#settle(id);
        take({ type: "reply-failed", reply: id, message: replyProblem(error) });
      },
    });
    this.#replies.set(id, reply);
    reply.start();
  }

  /** What of a reply was heard is part of the conversation, and nothing else. */
  #settle(id: number): void {
    const reply = this.#replies.get(id);
    if (!reply) return;
    this.#replies.delete(id);
    this.#options.clock.forget(id);
    this.#conversation.add("assistant", reply.spoken);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
