import type { IceCandidate, IceServer, MediaPeer, MediaServer, PeerState } from "../../../ports/media.ts";
import { writeSignal } from "../rtvi/messages.ts";
import type { VoiceOut } from "./reply.ts";

export interface ConnectionOptions {
  readonly media: MediaServer;
  iceServers(): readonly IceServer[];
  onAudio(samples: Int16Array): void;
  onMessage(text: string): void;
  onPlayed(clip: number, playedMs: number, isOver: boolean): void;
  /** The other side is gone, and why. */
  onLost(reason: string): void;
}

/** After the connection broke a client may come back with a new one. */
const restartWithinMs = 20_000;
/** Neither sound nor message for so long: the client is gone. Pages in the background ping once a minute at worst, and send
 *  sound all the time. */
const goneAfterMs = 30_000;
const checkEveryMs = 1000;
/** The goodbye has to leave before the connection closes. */
const closeAfterMs = 200;

/** The way to one caller. It may break and be made anew while the call goes on. */
export class Connection implements VoiceOut {
  readonly #options: ConnectionOptions;
  readonly #check: NodeJS.Timeout;
  #peer: MediaPeer | undefined;
  /** Counts connections: what comes from an old one means nothing. */
  #number = 0;
  #lastSignMs = performance.now();
  #brokenSinceMs: number | undefined;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#check = setInterval(() => this.#checkLife(), checkEveryMs);
    this.#check.unref();
  }

  async connect(sdp: string): Promise<string> {
    this.#peer?.close();
    this.#peer = undefined;
    const number = ++this.#number;
    const isCurrent = () => number === this.#number && !this.#isClosed;
    const { media, iceServers, onAudio, onMessage, onPlayed } = this.#options;
    const peer = await media.open({
      sdp,
      iceServers: iceServers(),
      onAudio: (samples) => {
        this.#lastSignMs = performance.now();
        if (isCurrent()) onAudio(samples);
      },
      onMessage: (text) => {
        this.#lastSignMs = performance.now();
        if (isCurrent()) onMessage(text);
      },
      onState: (state) => {
        if (isCurrent()) this.#takeState(state);
      },
      onPlayed: (clip, playedMs, isOver) => {
        if (isCurrent()) onPlayed(clip, playedMs, isOver);
      },
    });
    this.#lastSignMs = performance.now();
    this.#brokenSinceMs = undefined;
    if (isCurrent()) this.#peer = peer;
    else peer.close();
    return peer.answer;
  }

  renegotiate(sdp: string): Promise<string> {
    return this.#peer ? this.#peer.renegotiate(sdp) : this.connect(sdp);
  }

  addCandidates(candidates: readonly IceCandidate[]): void {
    this.#peer?.addCandidates(candidates);
  }

  send(text: string): void {
    this.#peer?.send(text);
  }

  play(clip: number, samples: Int16Array): void {
    this.#peer?.play(clip, samples);
  }

  endClip(clip: number): void {
    this.#peer?.endClip(clip);
  }

  drop(clips: readonly number[]): void {
    if (clips.length > 0) this.#peer?.drop(clips);
  }

  hold(): void {
    this.#peer?.hold();
  }

  resume(): void {
    this.#peer?.resume();
  }

  stats() {
    return this.#peer?.stats();
  }

  /** Says goodbye first: a client that is not told takes twelve seconds to notice. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#check);
    const peer = this.#peer;
    peer?.send(writeSignal("peerLeft"));
    setTimeout(() => peer?.close(), closeAfterMs);
  }

  #takeState(state: PeerState): void {
    if (state === "connected") this.#brokenSinceMs = undefined;
    else if (state === "closed") this.#options.onLost("the client hung up");
    else if (state === "failed" || state === "disconnected") this.#brokenSinceMs ??= performance.now();
  }

  #checkLife(): void {
    const now = performance.now();
    if (this.#brokenSinceMs !== undefined && now - this.#brokenSinceMs > restartWithinMs) {
      this.#options.onLost("the connection was lost");
    } else if (now - this.#lastSignMs > goneAfterMs) {
      this.#options.onLost("the client is gone");
    }
  }
}
