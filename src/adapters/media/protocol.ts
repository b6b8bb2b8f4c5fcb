import type { IceCandidate, IceServer, PeerState } from "../../ports/media.ts";

export interface MediaSettings {
  /** UDP port of all calls; 0 takes another for each. */
  readonly port: number;
  /** Written into answers instead of this machine's own addresses. */
  readonly announcedAddress: string | undefined;
  readonly bindAddress: string | undefined;
}

/** What the server says to the media process. */
export type ToMedia =
  | { type: "open"; peer: number; request: number; sdp: string; iceServers: readonly IceServer[] }
  | { type: "renegotiate"; peer: number; request: number; sdp: string }
  | { type: "candidates"; peer: number; candidates: readonly IceCandidate[] }
  | { type: "play"; peer: number; clip: number; samples: Int16Array }
  | { type: "end-clip"; peer: number; clip: number }
  | { type: "hold" | "resume"; peer: number }
  | { type: "drop"; peer: number; clips: readonly number[] }
  | { type: "send"; peer: number; text: string }
  | { type: "close"; peer: number };

/** What the media process says to the server. */
export type FromMedia =
  | { type: "ready" }
  | { type: "answered"; request: number; sdp: string }
  | { type: "refused"; request: number; message: string }
  /** One message for all calls: each would cost as much as all of them. */
  | { type: "audio"; parts: { peer: number; samples: Int16Array }[] }
  | { type: "message"; peer: number; text: string }
  | { type: "state"; peer: number; state: PeerState }
  | { type: "played"; peer: number; clip: number; playedMs: number; isOver: boolean }
  | { type: "stats"; peers: PeerReport[]; lateMs: number; rssBytes: number; cpuSeconds: number };

export interface PeerReport {
  readonly peer: number;
  readonly packetsReceived: number;
  readonly packetsLost: number;
  readonly route: string | undefined;
}
