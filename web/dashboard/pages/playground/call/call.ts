import { type CallMessage, connectCall } from "../../../../call/connect.js";
import { jsonRequest } from "../../../api/call-service.ts";
import { askForMicrophone, levelOf } from "../kit/microphone.ts";
import type { Service } from "../kit/use-service.ts";

export interface CallWanted {
  mode: "assistant" | "external";
  language: string;
  voice: string;
  style_text?: string;
}

export interface CallEvents {
  onReady(): void;
  onMessage(message: CallMessage): void;
  /** 0 to 1 each: the caller's and the agent's. */
  onLevels(mine: number, theirs: number): void;
  onEnd(reason: string | undefined): void;
}

export interface Call {
  /** What is to be said (external) or answered (assistant). */
  say(text: string): void;
  hangUp(): void;
}

const levelMs = 80;

/** Calls the server: a session with the key, an offer, and RTVI on the data channel, as docs/live-calls.md tells. */
export async function openCall(voice: Service, wanted: CallWanted, events: CallEvents): Promise<Call> {
  const session = await (await voice.send("/v1/realtime/session", jsonRequest(wanted))).json();
  const { pathname, search } = new URL(session.url);
  // The same server as this page, whatever its public address.
  const endpoint = `${pathname}${search || `?token=${encodeURIComponent(session.token)}`}`;
  const microphone = await askForMicrophone();
  const context = new AudioContext();
  const mine = meter(context, microphone);
  let theirs = () => 0;
  let showLevels: number | undefined;
  const call = await connectCall({
    endpoint,
    iceServers: session.ice_servers,
    microphone,
    library: "parlance-playground",
    onVoice: (stream) => {
      theirs = meter(context, stream);
    },
    onReady() {
      showLevels = window.setInterval(() => events.onLevels(mine(), theirs()), levelMs);
      events.onReady();
    },
    onMessage: (message) => events.onMessage(message),
    onEnd(reason) {
      clearInterval(showLevels);
      void context.close();
      events.onEnd(reason);
    },
  });
  return {
    say: (text) =>
      wanted.mode === "external"
        ? call.tell("client-message", { t: "speak", d: { text } })
        : call.tell("send-text", { content: text }),
    hangUp: () => call.hangUp(),
  };
}

/** How loud a stream is now, 0 to 1. */
function meter(context: AudioContext, stream: MediaStream): () => number {
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return () => {
    analyser.getFloatTimeDomainData(samples);
    return levelOf(samples);
  };
}
