/** The protocol of the data channel: RTVI 2.1, and 1.x for clients that speak only that. */
export const RTVI_VERSION = "2.1.0";

export interface RtviMessage {
  readonly type: string;
  readonly id?: string;
  readonly data?: unknown;
}

export function writeRtvi(message: RtviMessage): string {
  return JSON.stringify({ label: "rtvi-ai", ...message });
}

/** Below the transport, beside RTVI. */
export function writeSignal(type: "peerLeft" | "renegotiate"): string {
  return JSON.stringify({ type: "signalling", message: { type } });
}

/** What a client sends, as far as anything follows from it. */
export type ClientMessage =
  | { readonly type: "client-ready"; readonly id: string; readonly version: string | undefined }
  | { readonly type: "client-message"; readonly id: string; readonly name: string; readonly data: unknown }
  | {
      readonly type: "send-text";
      readonly id: string;
      readonly content: string;
      readonly isAnswered: boolean;
      readonly isSpoken: boolean;
    }
  | { readonly type: "disconnect-bot" }
  | { readonly type: "track-status"; readonly isEnabled: boolean }
  | { readonly type: "refused"; readonly id: string; readonly message: string }
  /** A sign of life, or something meant for others. */
  | { readonly type: "nothing" };

const nothing: ClientMessage = { type: "nothing" };
const mostCharacters = 65_536;
/** The microphone's place among what a client sends. */
const microphone = 0;
/** Types that a server may leave alone. */
const ignored = new Set([
  "dtmf",
  "raw-audio",
  "raw-audio-batch",
  "ui-event",
  "ui-snapshot",
  "ui-cancel-job-group",
  "llm-function-call-result",
]);

/** Reads a message of the data channel. It comes from outside, and may be anything. */
export function readClientMessage(text: string): ClientMessage {
  if (text.length > mostCharacters) return { type: "refused", id: "", message: "Invalid message: it is too long" };
  // Pings are no JSON.
  if (!text.startsWith("{")) return nothing;
  const message = parse(text);
  if (message.type === "signalling") return readSignal(message.message);
  if (message.label !== "rtvi-ai" || typeof message.type !== "string") return nothing;
  const id = typeof message.id === "string" ? message.id.slice(0, 100) : "";
  const data = asRecord(message.data);
  switch (message.type) {
    case "client-ready":
      return { type: "client-ready", id, version: typeof data.version === "string" ? data.version : undefined };
    case "client-message":
      if (typeof data.t !== "string") return { type: "refused", id, message: 'Invalid message: "t" must be a string' };
      return { type: "client-message", id, name: data.t, data: data.d };
    case "send-text":
      return readText(id, data);
    case "disconnect-bot":
      return { type: "disconnect-bot" };
    default:
      if (ignored.has(message.type)) return nothing;
      return { type: "refused", id, message: `Unsupported type ${message.type.slice(0, 100)}` };
  }
}

function readText(id: string, data: Record<string, unknown>): ClientMessage {
  if (typeof data.content !== "string" || data.content.trim() === "") {
    return { type: "refused", id, message: 'Invalid message: "content" must be a text' };
  }
  const options = asRecord(data.options);
  return {
    type: "send-text",
    id,
    content: data.content,
    isAnswered: options.run_immediately !== false,
    isSpoken: options.audio_response !== false,
  };
}

function readSignal(value: unknown): ClientMessage {
  const signal = asRecord(value);
  if (signal.type !== "trackStatus" || signal.receiver_index !== microphone) return nothing;
  return { type: "track-status", isEnabled: signal.enabled !== false };
}

/** What the bot says it speaks: the client's own version when that is older. */
export function answerVersion(version: string | undefined): string {
  return version !== undefined && /^1\.\d+\.\d+$/.test(version) ? version : RTVI_VERSION;
}

function parse(text: string): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return {};
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
