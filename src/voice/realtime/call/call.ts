import { type TurnTaker, turnOf } from "../../../accounts/turn-of.ts";
import { toProblem } from "../../../platform/http/to-problem.ts";
import type { PlatformLog } from "../../../platform/log.ts";
import type { ChatEngine } from "../../../ports/chat-engine.ts";
import type { IceCandidate, IceServer, MediaServer } from "../../../ports/media.ts";
import type { SpeechEngine } from "../../../ports/speech-engine.ts";
import type { SpeechWanted } from "../../speech/synthesize.ts";
import type { HearingEvent } from "../../streams/hearing-event.ts";
import { LiveHearing } from "../../streams/live-hearing.ts";
import type { HearingParts } from "../../transcription/transcribe.ts";
import { type RtviMessage, writeRtvi } from "../rtvi/messages.ts";
import { nextTurn } from "../turn/next-turn.ts";
import { firstTurn, type Turn, type TurnAction, type TurnEvent, type TurnTimer } from "../turn/turn.ts";
import type { CallSettings } from "./call-settings.ts";
import { ClientDesk } from "./client-desk.ts";
import { Connection } from "./connection.ts";
import { Replies } from "./replies.ts";
import { TurnClock, type TurnLatency } from "./turn-clock.ts";
import { writeLatency, writeNews } from "./write-news.ts";

export interface CallParts {
  readonly media: MediaServer;
  readonly hearing: HearingParts;
  readonly speech: SpeechEngine;
  readonly chat: ChatEngine;
  readonly log: PlatformLog;
  /** What this side uses to be reached. */
  iceServers(sessionId: string): readonly IceServer[];
  onLatency(latency: TurnLatency): void;
}

export interface CallOptions {
  readonly sessionId: string;
  readonly caller: TurnTaker;
  readonly settings: CallSettings;
  /** Whose voice it is and how it speaks. */
  readonly speaks: Omit<SpeechWanted, "text">;
}

/** What the books keep of a call. */
export interface CallSummary {
  readonly heardMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

/** The model forgets a conversation that is silent for ten minutes. */
const warmEveryMs = 4 * 60_000;

/** A machine that is further behind than this leaves out what it cannot hear in time, instead of keeping more and more of it. */
const mostBehindMs = 8000;

/** One live call. Everything that happens in it goes through `#take`, one event after the other, and everything that the client
 *  is told through `#tell`. */
export class Call {
  readonly sessionId: string;
  readonly ended: Promise<CallSummary>;
  readonly #parts: CallParts;
  readonly #connection: Connection;
  readonly #desk: ClientDesk;
  readonly #hearing: LiveHearing;
  readonly #replies: Replies;
  readonly #clock: TurnClock;
  readonly #timers = new Map<TurnTimer, NodeJS.Timeout>();
  readonly #inbox: TurnEvent[] = [];
  readonly #warming: NodeJS.Timeout;
  #turn: Turn;
  #isTaking = false;
  #isReady = false;
  #isEnded = false;
  #resolveEnded: (summary: CallSummary) => void = () => {};

  constructor(parts: CallParts, options: CallOptions) {
    const { settings, sessionId, caller } = options;
    this.#parts = parts;
    this.sessionId = sessionId;
    this.#turn = firstTurn(settings.mode);
    const tell = (message: RtviMessage) => this.#tell(message);
    const take = (event: TurnEvent) => this.#take(event);
    this.#clock = new TurnClock((latency) => {
      parts.onLatency(latency);
      tell(writeLatency(latency));
    });
    this.#connection = new Connection({
      media: parts.media,
      iceServers: () => parts.iceServers(sessionId),
      onAudio: (samples) => {
        // What was said before the client could show it would be lost to it; what is heard too late helps nobody.
        if (this.#isReady && this.#hearing.behindMs < mostBehindMs) void this.#hearing.push(samples);
      },
      onMessage: (text) => this.#desk.take(text),
      onPlayed: (clip, playedMs, isOver) => this.#replies.played(clip, playedMs, isOver),
      onLost: (reason) => this.end(reason),
    });
    this.#replies = new Replies({ ...parts, ...options, clock: this.#clock, out: this.#connection, tell, take });
    this.#hearing = new LiveHearing({
      ...parts.hearing,
      key: turnOf(caller),
      flow: sessionId,
      language: settings.hearingLanguage,
      onEvent: (event) => this.#hear(event),
    });
    this.#desk = new ClientDesk({
      mode: settings.mode,
      replies: this.#replies,
      tell,
      take,
      onReady: () => {
        this.#isReady = true;
      },
      onLeave: () => this.end("the client ended the call"),
    });
    this.#warming = setInterval(() => this.#replies.warm(), warmEveryMs);
    this.#warming.unref();
    this.#replies.warm();
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  /** How far the machine is behind the caller's voice. */
  get behindMs(): number {
    return this.#hearing.behindMs;
  }

  /** Connects the call, or connects it anew after the old connection broke; the conversation stays. */
  connect(sdp: string): Promise<string> {
    return this.#connection.connect(sdp);
  }

  renegotiate(sdp: string): Promise<string> {
    return this.#connection.renegotiate(sdp);
  }

  addCandidates(candidates: readonly IceCandidate[]): void {
    this.#connection.addCandidates(candidates);
  }

  /** Tells the client something outside the conversation. */
  announce(data: object): void {
    this.#tell({ type: "server-message", data });
  }

  end(reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#parts.log.info({ session: this.sessionId, reason, ...this.#connection.stats() }, "call ended");
    clearInterval(this.#warming);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#hearing.stop();
    this.#replies.end();
    this.#connection.close();
    this.#resolveEnded({ heardMs: this.#hearing.positionMs, ...this.#replies.tokens });
  }

  #hear(event: HearingEvent): void {
    const { log } = this.#parts;
    const now = performance.now();
    if (event.type === "speech-started") {
      this.#take({ type: "speech-started", atMs: now });
    } else if (event.type === "speech-ended") {
      const atMs = now - event.silentMs;
      this.#clock.silentSince(atMs);
      this.#take({ type: "speech-ended", atMs });
    } else if (event.type === "speech-discarded") {
      this.#take({ type: "speech-discarded", atMs: now });
    } else if (event.type === "final") {
      log.info({ session: this.sessionId, language: event.language, text: log.words(event.text) }, "heard");
      this.#clock.wordsCame();
      this.#take({ type: "final", text: event.text, atMs: now, endsTurn: event.endsTurn });
    } else if (event.type === "failed") {
      log.warn({ session: this.sessionId, error: String(event.error) }, "utterance lost");
      this.#take({ type: "hearing-failed", message: toProblem(event.error).message, atMs: now });
    } else {
      this.#take(event);
    }
  }

  /** One event after the other, also when what is done about one brings up the next. */
  #take(event: TurnEvent): void {
    this.#inbox.push(event);
    if (this.#isTaking) return;
    this.#isTaking = true;
    try {
      for (let next = this.#inbox.shift(); next && !this.#isEnded; next = this.#inbox.shift()) {
        const step = nextTurn(this.#turn, next);
        this.#turn = step.turn;
        for (const action of step.actions) this.#act(action);
      }
    } finally {
      this.#isTaking = false;
    }
  }

  #act(action: TurnAction): void {
    if (action.do === "tell") this.#tell(writeNews(action.news));
    else if (action.do === "speak") this.#replies.speak(action.reply, action.text);
    else if (action.do === "answer") this.#replies.answer(action.reply, action.heard, action.isSpoken);
    else if (action.do === "release") this.#replies.release(action.reply);
    else if (action.do === "cancel") this.#replies.cancel(action.reply);
    else if (action.do === "remember") this.#replies.remember(action.text);
    else if (action.do === "hold") this.#connection.hold();
    else if (action.do === "resume") this.#connection.resume();
    else if (action.do === "set-timer") this.#setTimer(action.timer, action.afterMs);
    else if (action.do === "stop-timer") clearTimeout(this.#timers.get(action.timer));
    else void this.#hearing.flush().catch(() => {});
  }

  #setTimer(timer: TurnTimer, afterMs: number): void {
    clearTimeout(this.#timers.get(timer));
    const ring = () => {
      if (timer === "turn-over") this.#clock.turnEnded();
      this.#take({ type: "timer", timer });
    };
    this.#timers.set(timer, setTimeout(ring, afterMs));
  }

  #tell(message: RtviMessage): void {
    if (this.#isReady && !this.#isEnded) this.#connection.send(writeRtvi(message));
  }
}
