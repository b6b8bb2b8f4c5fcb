import nodeDataChannel from "node-datachannel";
import { joinInt16 } from "./join-int16.ts";
import { Pacer } from "./pacer.ts";
import { Peer } from "./peer.ts";
import type { FromMedia, MediaSettings, ToMedia } from "./protocol.ts";

/** The media process: connections, codecs and the clock that keeps voices even. It knows nothing of what is said. */

const settings = JSON.parse(process.argv[2] ?? "{}") as MediaSettings;
const peers = new Map<number, Peer>();
const heard = new Map<number, Int16Array[]>();
const pacer = new Pacer((skipped) => {
  for (const peer of peers.values()) peer.sendFrame(skipped);
  sendHeard();
});
const statsEveryMs = 1000;

process.on("message", (message: ToMedia) => {
  if (message.type === "open" || message.type === "renegotiate") void answer(message);
  else if (message.type === "close") close(message.peer);
  else steer(message);
});
// The server is gone, so the calls are over.
process.on("disconnect", () => process.exit(0));
// A terminal's Ctrl-C reaches the whole group; calls end when the server says so.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
setInterval(sendStats, statsEveryMs).unref();
nodeDataChannel.initLogger("Error", () => {});
send({ type: "ready" });

function send(message: FromMedia): void {
  if (process.connected) process.send?.(message);
}

async function answer(message: Extract<ToMedia, { type: "open" | "renegotiate" }>): Promise<void> {
  const { peer: id, request } = message;
  try {
    if (message.type === "open") peers.set(id, openPeer(id, message));
    const peer = peers.get(id);
    if (!peer) throw new Error("the call is over");
    pacer.start();
    send({ type: "answered", request, sdp: await peer.answer(message.sdp) });
  } catch (error) {
    if (message.type === "open") close(id);
    send({ type: "refused", request, message: error instanceof Error ? error.message : String(error) });
  }
}

function openPeer(id: number, { iceServers }: Extract<ToMedia, { type: "open" }>): Peer {
  return new Peer(`call-${id}`, iceServers, settings, {
    onAudio(samples) {
      const parts = heard.get(id);
      if (parts) parts.push(samples);
      else heard.set(id, [samples]);
    },
    onMessage: (text) => send({ type: "message", peer: id, text }),
    onState: (state) => send({ type: "state", peer: id, state }),
    onPlayed: (clip, playedMs, isOver) => send({ type: "played", peer: id, clip, playedMs, isOver }),
  });
}

function steer(message: Exclude<ToMedia, { type: "open" | "renegotiate" | "close" }>): void {
  const peer = peers.get(message.peer);
  if (!peer) return;
  if (message.type === "candidates") peer.addCandidates(message.candidates);
  else if (message.type === "play") peer.play(message.clip, message.samples);
  else if (message.type === "end-clip") peer.endClip(message.clip);
  else if (message.type === "drop") peer.drop(message.clips);
  else if (message.type === "send") peer.send(message.text);
  else if (message.type === "hold") peer.hold();
  else peer.resume();
}

function close(id: number): void {
  const peer = peers.get(id);
  peers.delete(id);
  heard.delete(id);
  if (peers.size === 0) pacer.stop();
  peer?.close();
}

function sendHeard(): void {
  if (heard.size === 0) return;
  const parts = [...heard].map(([peer, stretches]) => ({ peer, samples: joinInt16(stretches) }));
  heard.clear();
  send({ type: "audio", parts });
}

function sendStats(): void {
  const { user, system } = process.cpuUsage();
  send({
    type: "stats",
    peers: [...peers].map(([peer, { stats }]) => ({ peer, ...stats })),
    lateMs: pacer.lateMs,
    rssBytes: process.memoryUsage.rss(),
    cpuSeconds: (user + system) / 1e6,
  });
}
