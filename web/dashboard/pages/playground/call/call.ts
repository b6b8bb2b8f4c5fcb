import { jsonRequest } from "../../../api/call-service.ts";
import { askForMicrophone, levelOf } from "../kit/microphone.ts";
import type { Service } from "../kit/use-service.ts";

export interface CallWanted {
  mode: "assistant" | "external";
  language: string;
  voice: string;
  style_text?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: RTVI has many messages, and each its own data
type Message = { type: string; data: any; message?: { type: string } };

export interface CallEvents {
  onReady(): void;
  onMessage(message: Message): void;
  /** 0 to 1 each: the caller's and the agent's. */
  onLevels(mine: number, theirs: number): void;
  onEnd(reason: string | undefined): void;
}

export interface Call {
  /** What is to be said (external) or answered (assistant). */
  say(text: string): void;
  hangUp(): void;
}

const pingMs = 1000;
const levelMs = 80;

/** Calls the server: a session with the key, an offer, and RTVI on the data channel, as docs/live-calls.md tells. */
export async function openCall(voice: Service, wanted: CallWanted, events: CallEvents): Promise<Call> {
  const session = await (await voice.send("/v1/realtime/session", jsonRequest(wanted))).json();
  const { pathname, search } = new URL(session.url);
  // The same server as this page, whatever its public address.
  const endpoint = `${pathname}${search || `?token=${encodeURIComponent(session.token)}`}`;
  const microphone = await askForMicrophone();
  const connection = new RTCPeerConnection({ iceServers: session.ice_servers });
  const speaker = new Audio();
  const context = new AudioContext();
  const mine = meter(context, microphone);
  let theirs = () => 0;
  let timers: number[] = [];
  let isOver = false;

  const end = (reason?: string) => {
    if (isOver) return;
    isOver = true;
    for (const timer of timers) clearInterval(timer);
    connection.close();
    for (const track of microphone.getTracks()) track.stop();
    speaker.srcObject = null;
    void context.close();
    events.onEnd(reason);
  };
  connection.addTransceiver(microphone.getAudioTracks()[0]!, { direction: "sendrecv", streams: [microphone] });
  connection.ontrack = ({ track }) => {
    const stream = new MediaStream([track]);
    speaker.srcObject = stream;
    speaker.play().catch(() => {});
    theirs = meter(context, stream);
  };
  connection.onconnectionstatechange = () => {
    if (connection.connectionState === "failed") end("The connection failed. Is UDP open, or a TURN server set?");
  };
  const channel = connection.createDataChannel("chat");
  const tell = (type: string, data: object) =>
    channel.send(JSON.stringify({ label: "rtvi-ai", id: crypto.randomUUID().slice(0, 8), type, data }));
  channel.onopen = () => {
    tell("client-ready", { version: "2.1.0", about: { library: "parlance-playground" } });
    timers = [
      window.setInterval(() => channel.readyState === "open" && channel.send(`ping: ${Date.now()}`), pingMs),
      window.setInterval(() => events.onLevels(mine(), theirs()), levelMs),
    ];
  };
  channel.onclose = () => end();
  channel.onmessage = ({ data }) => {
    const message: Message = JSON.parse(data);
    if (message.type === "bot-ready") events.onReady();
    else if (message.type === "signalling" && message.message?.type === "peerLeft") end("The other side hung up.");
    else events.onMessage(message);
  };
  try {
    await connect(connection, endpoint);
  } catch (error) {
    end();
    throw error;
  }
  return {
    say: (text) =>
      wanted.mode === "external"
        ? tell("client-message", { t: "speak", d: { text } })
        : tell("send-text", { content: text }),
    hangUp: () => end(),
  };
}

async function connect(connection: RTCPeerConnection, endpoint: string): Promise<void> {
  const waiting: object[] = [];
  let id: string | undefined;
  const sendCandidates = () => {
    if (id && waiting.length > 0)
      void post("PATCH", endpoint, { pc_id: id, candidates: waiting.splice(0) }).catch(() => {});
  };
  connection.onicecandidate = ({ candidate }) => {
    if (!candidate) return;
    const { candidate: line, sdpMid, sdpMLineIndex } = candidate;
    waiting.push({ candidate: line, sdp_mid: sdpMid, sdp_mline_index: sdpMLineIndex });
    sendCandidates();
  };
  await connection.setLocalDescription();
  const offer = { sdp: connection.localDescription!.sdp, type: "offer", pc_id: null, restart_pc: false };
  const answer = await post("POST", endpoint, offer);
  id = answer.pc_id;
  await connection.setRemoteDescription({ type: "answer", sdp: answer.sdp });
  sendCandidates();
}

async function post(method: string, endpoint: string, body: object) {
  const response = await fetch(endpoint, { ...jsonRequest(body), method });
  const reply = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(reply.error?.message ?? response.statusText);
  return reply;
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
