/** What was seen of a stream so far. */
export interface Seen {
  /** Any event at all. */
  readonly hasBegun: boolean;
  /** More than a role, usage, or what a filter thinks of the question. */
  readonly hasContent: boolean;
  /** The model, or the upstream, said that it was done. */
  readonly isFinished: boolean;
  /** The upstream said that it failed. */
  readonly isCut: boolean;
}

export interface StreamState {
  /** The head waits for the model's first word, so that an upstream which has only an error to say can be replaced by another. */
  readonly phase: "waiting" | "flowing" | "over";
  /** How much came before that word. */
  readonly earlyBytes: number;
}

export type StreamEvent =
  | { readonly type: "chunk"; readonly bytes: number }
  /** The upstream's end marker, or the end of its reply. */
  | { readonly type: "ended" }
  /** It died, or sent what cannot be a stream. */
  | { readonly type: "broke" }
  /** Nothing came for as long as proxies bear. */
  | { readonly type: "quiet" }
  | { readonly type: "hung-up" };

export type StreamAction =
  /** Keeps what came until it is known whether there is anything in it. */
  | "keep"
  /** Sends the head, and what was kept. */
  | "start"
  | "pass"
  | "ping"
  /** Nothing of this stream has reached the caller: another upstream may be asked. */
  | "refuse"
  | "settle-whole"
  | "settle-part"
  | "settle-unheard"
  /** Nobody comes back for it. */
  | "abandon"
  | "finish"
  /** Tells the caller that it was only a part. */
  | "finish-broken"
  | "cancel"
  /** Waits shortly for the upstream's own end, so that the connection can be used again. */
  | "drain";

export interface StreamStep {
  readonly state: StreamState;
  readonly actions: readonly StreamAction[];
}

/** More than any stream says before its first word. A guess. */
const mostEarlyBytes = 65_536;

export const newStream: StreamState = { phase: "waiting", earlyBytes: 0 };
const flowing: StreamState = { phase: "flowing", earlyBytes: 0 };
const over: StreamState = { phase: "over", earlyBytes: 0 };

const passOn: StreamStep = { state: flowing, actions: ["pass"] };
const begin: StreamStep = { state: flowing, actions: ["start", "pass"] };
const refused: StreamStep = { state: over, actions: ["cancel", "refuse"] };

/** What becomes of a stream when something happens. */
export function nextStreamState(state: StreamState, event: StreamEvent, seen: Seen): StreamStep {
  if (state.phase === "over") return { state, actions: [] };
  const isWaiting = state.phase === "waiting";
  const isWorthless = isWaiting && (seen.isCut || !seen.hasContent);
  const start: StreamAction[] = isWaiting ? ["start"] : [];
  switch (event.type) {
    case "chunk": {
      if (!isWaiting) return passOn;
      if (seen.isCut) return refused;
      const earlyBytes = state.earlyBytes + event.bytes;
      if (seen.hasContent || earlyBytes > mostEarlyBytes) return begin;
      return { state: { phase: "waiting", earlyBytes }, actions: ["keep"] };
    }
    case "ended":
      if (isWorthless) return refused;
      if (!seen.isFinished || seen.isCut) {
        return { state: over, actions: ["settle-part", ...start, "pass", "finish-broken", "cancel"] };
      }
      return { state: over, actions: ["settle-whole", ...start, "pass", "finish", "drain"] };
    case "broke":
      if (isWorthless) return refused;
      return { state: over, actions: ["settle-part", ...start, "finish-broken", "cancel"] };
    case "quiet":
      return { state, actions: ["ping"] };
    case "hung-up":
      return { state: over, actions: ["abandon", "cancel", seen.hasBegun ? "settle-part" : "settle-unheard"] };
  }
}
