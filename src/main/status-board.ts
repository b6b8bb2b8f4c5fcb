import type { EngineStatus } from "../ports/engine-host.ts";
import type { ModelStore } from "../ports/model-store.ts";

/** An engine as the outside sees it: which capability it serves, on which models, and how it is. */
export interface BoardEntry {
  capability: string;
  /** What `model` fields of replies call it. */
  model: string;
  modelIds: readonly string[];
  /** Nothing works in its place. Default: where it has models, which the server fetches by itself. */
  isNeeded?: boolean;
  status(): EngineStatus;
}

export interface PullState {
  /** The model being fetched or made right now. */
  current?: { model: string; stage: string; fraction: number };
  failure?: string;
  isRunning: boolean;
}

export interface EngineReport {
  capability: string;
  engine: string;
  model: string;
  state: "ready" | "loading" | "missing" | "failed";
  reason?: string;
  progress?: number;
}

export interface StatusBoard {
  add(entry: BoardEntry): void;
  entries(): readonly BoardEntry[];
  report(): EngineReport[];
  /** The engines that were to serve and cannot, with nothing under way that would change it. */
  broken(): EngineReport[];
  pull: PullState;
}

/** Where /readyz, /metrics and `doctor` look. */
export function createStatusBoard(models: ModelStore): StatusBoard {
  const entries: BoardEntry[] = [];
  const board: StatusBoard = {
    pull: { isRunning: false },
    add: (entry) => entries.push(entry),
    entries: () => entries,
    report: () => entries.map((entry) => describe(entry, models, board.pull)),
    broken: () =>
      entries
        .filter(({ isNeeded, modelIds }) => isNeeded ?? modelIds.length > 0)
        .map((entry) => describe(entry, models, board.pull))
        .filter(({ state }) => state === "missing" || state === "failed"),
  };
  return board;
}

function describe(entry: BoardEntry, models: ModelStore, pull: PullState): EngineReport {
  const status = entry.status();
  const known = { capability: entry.capability, engine: status.name, model: entry.model };
  if (status.state === "missing" && pull.isRunning && entry.modelIds.some((id) => models.missing(id))) {
    const current = entry.modelIds.includes(pull.current?.model ?? "") ? pull.current : undefined;
    return {
      ...known,
      state: "loading",
      reason: current ? `${current.stage} of ${current.model}` : "waiting for its model to be fetched",
      ...(current ? { progress: Math.round(current.fraction * 100) / 100 } : {}),
    };
  }
  return {
    ...known,
    // An idle engine has all it needs and starts with its first request.
    state: status.state === "idle" ? "ready" : status.state,
    ...(status.reason ? { reason: status.reason } : {}),
    ...(status.progress !== undefined ? { progress: status.progress } : {}),
  };
}
