import type { RtviMessage } from "../rtvi/messages.ts";
import type { TurnNews } from "../turn/turn.ts";
import type { TurnLatency } from "./turn-clock.ts";

/** What happened in a turn, as clients read it. */
export function writeNews(news: TurnNews): RtviMessage {
  if (news.type === "user-transcription") {
    const data = { text: news.text, final: news.isFinal, timestamp: new Date().toISOString(), user_id: "user" };
    return { type: news.type, data };
  }
  if (news.type === "error") {
    // Clients read `message`, the reference server sends `error`.
    return { type: "error", data: { message: news.message, error: news.message, fatal: false } };
  }
  return { type: news.type };
}

/** In seconds, and in the order in which the stages follow each other. */
export function writeLatency(latency: TurnLatency): RtviMessage {
  const stages = Object.entries(latency)
    .filter((stage): stage is [string, number] => stage[1] !== undefined)
    .map(([processor, ms]) => ({ processor, value: Math.round(ms) / 1000 }));
  return { type: "metrics", data: { ttfb: stages } };
}
