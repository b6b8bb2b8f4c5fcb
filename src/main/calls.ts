import { availableParallelism } from "node:os";
import { Histogram } from "prom-client";
import type { UsageWriter } from "../accounts/usage/usage-writer.ts";
import type { KeyWatch } from "../accounts/watch-keys.ts";
import { createMediaServer } from "../adapters/media/media-server.ts";
import type { Metrics } from "../platform/http/metrics.ts";
import type { PlatformLog } from "../platform/log.ts";
import type { Settings } from "../platform/settings/settings.ts";
import type { IceServer } from "../ports/media.ts";
import type { TurnLatency } from "../voice/realtime/call/turn-clock.ts";
import { iceServers } from "../voice/realtime/ice-servers.ts";
import { createLiveCalls, type LiveCalls } from "../voice/realtime/live-calls.ts";
import type { UsePersona } from "../voice/speech/speak-as.ts";
import type { Engines } from "./engines.ts";

export interface CallsContext {
  readonly settings: Settings;
  readonly engines: Pick<Engines, "speech" | "hearing" | "words">;
  readonly usePersona: UsePersona;
  readonly keys: KeyWatch;
  readonly usage: UsageWriter;
  readonly log: PlatformLog;
  readonly metrics: Metrics;
}

export interface Calls {
  readonly live: LiveCalls;
  iceServers(sessionId: string): IceServer[];
  close(): Promise<void>;
}

/** What the media path of one call takes of a core (bench/live); engines may allow less, which shows while calls run. */
const mediaShareOfCore = 0.03;

/** Live calls and the process that carries their sound. */
export function createCalls({ settings, engines, usePersona, usage, keys, log, metrics }: CallsContext): Calls {
  const { mediaAddress, mediaPort, mediaBind, turnUrls, turnSecret, most } = settings.calls;
  const media = createMediaServer({ port: mediaPort, announcedAddress: mediaAddress, bindAddress: mediaBind, log });
  const relays = { urls: turnUrls, secret: turnSecret };
  const serversFor = (sessionId: string) => iceServers(relays, sessionId, Date.now());
  const live = createLiveCalls({
    media,
    hearing: engines.hearing,
    speech: engines.speech,
    chat: engines.words.chat,
    usePersona,
    usage,
    keys,
    log,
    warmsUp: settings.engines.warmsUp,
    most: most || Math.floor(availableParallelism() / mediaShareOfCore / 2),
    watchesStrain: most === 0,
    // A server whose address callers know needs no relay of its own.
    iceServers: (sessionId) => (mediaAddress ? [] : serversFor(sessionId)),
    onLatency: measureTurns(metrics),
  });
  metrics.gauge("parlance_calls", "Live calls.", [], (set) => set({}, live.size));
  metrics.counter("parlance_call_packets_lost_total", "Media packets of callers that never came.", [], (set) =>
    set({}, media.load().packetsLost),
  );
  metrics.gauge(
    "parlance_media_late_seconds",
    "How late media left over the last seconds; one packet in twenty was later.",
    [],
    (set) => set({}, media.load().lateMs / 1000),
  );
  metrics.gauge("parlance_media_memory_bytes", "Resident memory of the media process.", [], (set) =>
    set({}, media.load().rssBytes),
  );
  return { live, iceServers: serversFor, close: () => media.close() };
}

function measureTurns(metrics: Metrics): (latency: TurnLatency) => void {
  const stages = new Histogram({
    name: "parlance_call_stage_seconds",
    help: "How long the stages of an answer in a call took.",
    labelNames: ["stage"],
    buckets: [0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1, 1.5, 2, 3, 5, 10],
    registers: [metrics.registry],
  });
  return (latency) => {
    for (const [stage, ms] of Object.entries(latency)) if (ms !== undefined) stages.observe({ stage }, ms / 1000);
  };
}
