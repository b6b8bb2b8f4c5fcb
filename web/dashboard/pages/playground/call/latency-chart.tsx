import { formatMs } from "../../../lib/format.ts";

export interface Latency {
  id: number;
  /** Stages of an answer and the seconds that each took. */
  stages: { processor: string; value: number }[];
}

const names: Record<string, string> = {
  transcription: "words written down",
  endOfTurn: "turn over",
  firstToken: "first word thought",
  firstSound: "first sound made",
  total: "answer heard",
};

/** The stages of the last answers as bars: what a caller waits for. */
export function LatencyChart({ latencies }: { latencies: readonly Latency[] }) {
  const longest = Math.max(0.1, ...latencies.flatMap(({ stages }) => stages.map(({ value }) => value)));
  return (
    <ol className="grid gap-4" aria-label="Latency of answers">
      {latencies.map(({ id, stages }) => (
        <li key={id} className="grid gap-1">
          {stages.map(({ processor, value }) => (
            <span key={processor} className="grid grid-cols-[9rem_1fr_4rem] items-center gap-2 text-xs">
              <span className="truncate text-muted">{names[processor] ?? processor}</span>
              <span className="h-2 overflow-hidden rounded-full bg-hover">
                <span
                  className="block h-full rounded-full bg-accent"
                  style={{ width: `${(Math.max(0, value) / longest) * 100}%` }}
                />
              </span>
              <span className="text-right tabular-nums">{formatMs(value * 1000)}</span>
            </span>
          ))}
        </li>
      ))}
    </ol>
  );
}
