import { PipecatClient } from "@pipecat-ai/client-js";
import { SmallWebRTCTransport, WavMediaManager } from "@pipecat-ai/small-webrtc-transport";

/** What a test page does with the unmodified client: everything that happens is kept with its time. */
const events = [];
const note = (name) => (data) => events.push({ at: performance.now(), name, data: plain(data) });

function plain(data) {
  if (data === undefined || data instanceof MediaStreamTrack) return undefined;
  return JSON.parse(JSON.stringify(data));
}

const callbacks = {};
for (const name of [
  "Connected",
  "Disconnected",
  "BotReady",
  "BotConnected",
  "BotDisconnected",
  "UserStartedSpeaking",
  "UserStoppedSpeaking",
  "BotStartedSpeaking",
  "BotStoppedSpeaking",
  "UserTranscript",
  "BotOutput",
  "BotTranscript",
  "BotLlmText",
  "BotLlmStarted",
  "BotLlmStopped",
  "BotTtsText",
  "BotTtsStarted",
  "BotTtsStopped",
  "Metrics",
  "ServerMessage",
  "MessageError",
  "Error",
  "TransportStateChanged",
]) {
  callbacks[`on${name}`] = note(name);
}

/** Loudness of what the page plays, every 20 ms, and the sound itself at 16 kHz. */
const loudness = [];
const sound = [];
callbacks.onTrackStarted = async (track, participant) => {
  if (track.kind !== "audio" || participant?.local) return;
  note("TrackStarted")();
  const stream = new MediaStream([track]);
  // Chromium feeds a remote track to WebAudio only when it is also attached to an element.
  const element = new Audio();
  element.srcObject = stream;
  await element.play().catch(() => {});
  const context = new AudioContext({ sampleRate: 16000 });
  const url = URL.createObjectURL(
    new Blob(
      [
        `registerProcessor("tap", class extends AudioWorkletProcessor {
          process([input]) { if (input[0]) this.port.postMessage(input[0].slice()); return true; }
        })`,
      ],
      { type: "text/javascript" },
    ),
  );
  await context.audioWorklet.addModule(url);
  const tap = new AudioWorkletNode(context, "tap");
  let waiting = [];
  tap.port.onmessage = ({ data }) => {
    waiting.push(...data);
    while (waiting.length >= 320) {
      const frame = waiting.slice(0, 320);
      waiting = waiting.slice(320);
      loudness.push({
        at: performance.now(),
        rms: Math.sqrt(frame.reduce((sum, value) => sum + value * value, 0) / 320),
      });
      sound.push(...frame);
    }
  };
  context.createMediaStreamSource(stream).connect(tap);
};

/** A microphone that says what the test wants, when it wants it. */
async function takeOverMicrophone() {
  const context = new AudioContext();
  const microphone = context.createMediaStreamDestination();
  // Silence, as a quiet room: a destination without a source sends nothing at all.
  const room = context.createConstantSource();
  room.offset.value = 0;
  room.connect(microphone);
  room.start();
  navigator.mediaDevices.getUserMedia = async () => microphone.stream.clone();
  return (samples, rate) =>
    new Promise((resolve) => {
      const buffer = context.createBuffer(1, samples.length, rate);
      buffer.copyToChannel(Float32Array.from(samples), 0);
      const source = context.createBufferSource();
      source.buffer = buffer;
      source.connect(microphone);
      source.onended = () => resolve(performance.now());
      note("Said")({ ms: (samples.length * 1000) / rate });
      source.start();
    });
}

let client;
let say;
window.call = {
  events,
  loudness,
  /** Resolves with the time at which the words were over. */
  say: (samples, rate) => say(samples, rate),
  /** How the page reaches the other side: host, srflx, prflx or relay. */
  async route() {
    const stats = [...(await window.lastConnection.getStats()).values()];
    const pair = stats.find(
      ({ type, state, nominated }) => type === "candidate-pair" && state === "succeeded" && nominated,
    );
    return stats.find(({ id }) => id === pair.localCandidateId).candidateType;
  },
  /** How long sound waited in the page's own buffer so far: seconds, summed over samples, and the samples. */
  async buffered() {
    const stats = [...(await window.lastConnection.getStats()).values()];
    const { jitterBufferDelay, jitterBufferEmittedCount } = stats.find(
      ({ type, kind }) => type === "inbound-rtp" && kind === "audio",
    );
    return { seconds: jitterBufferDelay, samples: jitterBufferEmittedCount };
  },
  async start({ endpoint, headers, requestData, params, iceServers, relayOnly, hasDevice }) {
    if (!hasDevice) say = await takeOverMicrophone();
    const Original = window.RTCPeerConnection;
    window.RTCPeerConnection = class extends Original {
      constructor(config) {
        super(relayOnly ? { ...config, iceTransportPolicy: "relay" } : config);
        window.lastConnection = this;
      }
    };
    client = new PipecatClient({
      transport: new SmallWebRTCTransport({
        mediaManager: new WavMediaManager(),
        ...(iceServers ? { iceServers } : {}),
      }),
      enableMic: true,
      enableCam: false,
      callbacks,
    });
    window.onClient?.(client);
    await client.initDevices();
    if (params) await client.connect(params);
    else await client.startBotAndConnect({ endpoint, headers: new Headers(headers), requestData });
  },
  speak: (text, interrupt) => client.sendClientMessage("speak", { text, interrupt }),
  request: (name, data) => client.sendClientRequest(name, data),
  sendText: (text, options) => client.sendText(text, options),
  mute: (isMuted) => client.enableMic(!isMuted),
  stop: () => client.disconnect(),
  state: () => client.state,
  /** In base64: as a list of numbers it takes seconds of a core to leave the page. */
  sound() {
    const bytes = new Uint8Array(Float32Array.from(sound).buffer);
    const piece = 32_768;
    let text = "";
    for (let at = 0; at < bytes.length; at += piece) text += String.fromCharCode(...bytes.subarray(at, at + piece));
    return btoa(text);
  },
};
