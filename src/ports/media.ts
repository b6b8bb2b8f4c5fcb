/** The rate of what is heard from callers. */
export const HEARD_RATE_HZ = 16_000;
/** The rate of what is played to them. */
export const PLAYED_RATE_HZ = 24_000;

export interface IceServer {
  readonly urls: string | string[];
  readonly username?: string;
  readonly credential?: string;
}

export interface IceCandidate {
  readonly candidate: string;
  readonly mid: string;
}

export type PeerState = "connecting" | "connected" | "disconnected" | "failed" | "closed";

/** What comes from the other side, in order. */
export interface PeerEvents {
  /** Mono at HEARD_RATE_HZ, without gaps: what the network lost is filled, so that counting samples is telling the time. */
  onAudio(samples: Int16Array): void;
  /** A text message of the data channel. */
  onMessage(text: string): void;
  onState(state: PeerState): void;
  /** How far the playing of a clip has come: when it begins, several times a second, and at its end or where it was cut. */
  onPlayed(clip: number, playedMs: number, isOver: boolean): void;
}

export interface PeerOptions extends PeerEvents {
  /** The other side's offer. */
  readonly sdp: string;
  /** What this side uses to be reached. */
  readonly iceServers: readonly IceServer[];
}

export interface PeerStats {
  readonly packetsReceived: number;
  readonly packetsLost: number;
  /** How the two sides reach each other: `host`, `srflx`, `prflx` or `relay`. */
  readonly route: string | undefined;
}

/** One connection that carries sound both ways and text messages. Nothing of it survives `close`. */
export interface MediaPeer {
  /** Includes the candidates of this side, because there is no later way to tell them. */
  readonly answer: string;
  /** Answers another offer for the same connection. */
  renegotiate(sdp: string): Promise<string>;
  addCandidates(candidates: readonly IceCandidate[]): void;
  /** Appends to a clip. Clips are played in the order of their first samples, each after the one before it is over. */
  play(clip: number, samples: Int16Array): void;
  /** Nothing more is appended to the clip: it is over when its last sample has left. */
  endClip(clip: number): void;
  /** Falls silent at once and keeps what is left. */
  hold(): void;
  resume(): void;
  /** Drops what is left of these clips, at once. `onPlayed` tells where the one being played was cut. */
  drop(clips: readonly number[]): void;
  /** Messages wait until the channel is open. */
  send(text: string): void;
  stats(): PeerStats;
  close(): void;
}

export interface MediaLoad {
  readonly peers: number;
  /** How late packets left over the last seconds; one in twenty was later. */
  readonly lateMs: number;
  readonly packetsLost: number;
  readonly rssBytes: number;
  readonly cpuSeconds: number;
}

/** Where calls meet the network. It keeps time by itself: a server that is busy does not make voices stutter. */
export interface MediaServer {
  /** Throws a Problem: `invalid_request` for an offer that cannot be answered, `engine_unavailable` when media is down. */
  open(options: PeerOptions): Promise<MediaPeer>;
  /** A call is about to come: what takes time to start had better be started now. */
  warm(): void;
  load(): MediaLoad;
  close(): Promise<void>;
}
