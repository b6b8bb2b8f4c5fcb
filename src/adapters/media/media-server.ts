import { type ChildProcess, fork } from "node:child_process";
import { setPriority } from "node:os";
import { Problem } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { execArgvFor, siblingModule } from "../../platform/sibling-module.ts";
import type { MediaLoad, MediaPeer, MediaServer, PeerEvents, PeerOptions, PeerStats } from "../../ports/media.ts";
import type { FromMedia, MediaSettings, PeerReport, ToMedia } from "./protocol.ts";

export interface MediaServerOptions extends MediaSettings {
  readonly log: Log;
  /** How a process is started. */
  readonly start?: typeof fork;
}

/** Where the system lets it, media goes before everything else: 20 ms are soon over. */
const priority = -10;
const startWithinMs = 20_000;
const noStats: PeerStats = { packetsReceived: 0, packetsLost: 0, route: undefined };

interface Process {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
}

interface OpenPeer {
  readonly events: PeerEvents;
  stats: PeerStats;
}

/** Keeps the media process. It starts with the first call; when it dies its calls end, and the next one starts another. */
export function createMediaServer({ log, start: startProcess = fork, ...settings }: MediaServerOptions): MediaServer {
  const peers = new Map<number, OpenPeer>();
  const requests = new Map<number, { resolve(sdp: string): void; reject(error: Error): void }>();
  let running: Process | undefined;
  let isClosed = false;
  let nextId = 1;
  let endedLost = 0;
  let latest = { lateMs: 0, rssBytes: 0, cpuSeconds: 0 };

  return { open, warm: () => void start().catch(() => {}), load, close };

  async function open({ sdp, iceServers, ...events }: PeerOptions): Promise<MediaPeer> {
    await start();
    const id = nextId++;
    peers.set(id, { events, stats: noStats });
    try {
      const answer = await ask((request) => ({ type: "open", peer: id, request, sdp, iceServers }));
      return makePeer(id, answer);
    } catch (error) {
      peers.delete(id);
      throw error;
    }
  }

  function makePeer(id: number, answer: string): MediaPeer {
    const isOpen = () => peers.has(id);
    const tell = (message: ToMedia) => {
      if (isOpen()) send(message);
    };
    return {
      answer,
      renegotiate: (sdp) => ask((request) => ({ type: "renegotiate", peer: id, request, sdp })),
      addCandidates: (candidates) => tell({ type: "candidates", peer: id, candidates }),
      play: (clip, samples) => tell({ type: "play", peer: id, clip, samples }),
      endClip: (clip) => tell({ type: "end-clip", peer: id, clip }),
      hold: () => tell({ type: "hold", peer: id }),
      resume: () => tell({ type: "resume", peer: id }),
      drop: (clips) => tell({ type: "drop", peer: id, clips }),
      send: (text) => tell({ type: "send", peer: id, text }),
      stats: () => peers.get(id)?.stats ?? noStats,
      close() {
        tell({ type: "close", peer: id });
        forget(id);
      },
    };
  }

  function forget(id: number): void {
    endedLost += peers.get(id)?.stats.packetsLost ?? 0;
    peers.delete(id);
  }

  function ask(message: (request: number) => ToMedia): Promise<string> {
    return new Promise((resolve, reject) => {
      if (!running?.child.connected) throw new Problem("engine_unavailable", "The media process ended. Try again.");
      const request = nextId++;
      requests.set(request, { resolve, reject });
      send(message(request));
    });
  }

  function send(message: ToMedia): void {
    if (running?.child.connected) running.child.send(message);
  }

  async function start(): Promise<void> {
    if (isClosed) throw new Problem("engine_unavailable", "The server is shutting down. Try again in a moment.");
    try {
      running ??= spawn();
      await running.ready;
    } catch (cause) {
      throw new Problem("engine_unavailable", "The media process could not be started.", { cause });
    }
  }

  function spawn(): Process {
    const module = siblingModule(import.meta.url, "./child");
    const child = startProcess(module, [JSON.stringify(settings)], {
      serialization: "advanced",
      execArgv: execArgvFor(module),
      env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log.debug({ output: text.slice(0, 2000) }, "media output");
    });
    try {
      setPriority(child.pid!, priority);
    } catch {
      // Only some users may go before others.
    }
    const ready = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => child.kill("SIGKILL"), startWithinMs);
      child.on("message", (message: FromMedia) => {
        if (message.type === "ready") resolve();
        else take(message);
      });
      child.once("error", (error) => {
        reject(error);
        // A process that never began does not end either: the next call tries again.
        if (child.pid === undefined) lose(child, error.message);
      });
      child.once("exit", (code, signal) => {
        reject(new Error(`the media process ended (${signal ?? `exit code ${code}`})`));
      });
      const settle = () => clearTimeout(timer);
      child.once("exit", settle);
      child.once("error", settle);
      child.once("message", settle);
    });
    ready.catch(() => {});
    child.once("exit", (code, signal) => lose(child, signal ?? `exit code ${code}`));
    return { child, ready };
  }

  /** The calls of a process that is gone are over; everybody else never knew it. */
  function lose(child: ChildProcess, reason: string): void {
    if (running?.child !== child) return;
    running = undefined;
    latest = { lateMs: 0, rssBytes: 0, cpuSeconds: 0 };
    if (!isClosed) log.error({ reason, calls: peers.size }, "media process lost");
    for (const { reject } of requests.values()) {
      reject(new Problem("engine_unavailable", "The media process ended. Try again."));
    }
    requests.clear();
    for (const [id, { events }] of [...peers]) {
      forget(id);
      events.onState("closed");
    }
  }

  function take(message: FromMedia): void {
    if (message.type === "audio") {
      for (const { peer, samples } of message.parts) peers.get(peer)?.events.onAudio(samples);
    } else if (message.type === "answered") {
      requests.get(message.request)?.resolve(message.sdp);
      requests.delete(message.request);
    } else if (message.type === "refused") {
      const problem = new Problem(
        "invalid_request",
        "The offer could not be answered: it is not valid SDP with Opus.",
        {
          cause: message.message,
        },
      );
      requests.get(message.request)?.reject(problem);
      requests.delete(message.request);
    } else if (message.type === "stats") {
      latest = message;
      for (const report of message.peers) takeReport(report);
    } else if (message.type === "message") {
      peers.get(message.peer)?.events.onMessage(message.text);
    } else if (message.type === "state") {
      peers.get(message.peer)?.events.onState(message.state);
    } else if (message.type === "played") {
      peers.get(message.peer)?.events.onPlayed(message.clip, message.playedMs, message.isOver);
    }
  }

  function takeReport({ peer, ...stats }: PeerReport): void {
    const open = peers.get(peer);
    if (open) open.stats = stats;
  }

  function load(): MediaLoad {
    const { lateMs, rssBytes, cpuSeconds } = latest;
    const packetsLost = [...peers.values()].reduce((sum, { stats }) => sum + stats.packetsLost, endedLost);
    return { peers: peers.size, lateMs, rssBytes, cpuSeconds, packetsLost };
  }

  async function close(): Promise<void> {
    isClosed = true;
    const child = running?.child;
    if (!child || child.exitCode !== null) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.disconnect();
    const timer = setTimeout(() => child.kill("SIGKILL"), 2000);
    await exited;
    clearTimeout(timer);
  }
}
