import { downloadBytes, type Model, type ModelSource } from "../adapters/models/catalog.ts";
import type { DashboardParts } from "../dashboard/parts.ts";
import { systemClock } from "../platform/clock.ts";
import { reportSettings, type Settings } from "../platform/settings/settings.ts";
import type { ModelStore } from "../ports/model-store.ts";
import type { Engines } from "./engines.ts";
import type { StatusBoard } from "./status-board.ts";

export interface DashboardNeeds
  extends Pick<
    DashboardParts,
    "database" | "health" | "usage" | "cluster" | "verifier" | "secrets" | "gateway" | "log" | "publicUrl"
  > {
  settings: Settings;
  catalog: readonly Model[];
  models: ModelStore;
  board: StatusBoard;
  engines: Engines;
  services: readonly { name: "voice" | "gateway" | "extraction"; title: string; base: string }[];
}

/** What the dashboard sees of this process. */
export function dashboardParts(needs: DashboardNeeds): DashboardParts {
  const { settings, catalog, models, board, engines, services, ...parts } = needs;
  return {
    ...parts,
    clock: systemClock,
    speech: engines.speech,
    transcription: engines.hearing.transcription,
    translation: engines.words.translation,
    // The gateway's clients want its version in the address, the others add it themselves.
    get services() {
      return services.map(({ name, title, base }) => ({ name, title, baseUrl: `${parts.publicUrl()}${base}` }));
    },
    engines: () =>
      board.entries().map((entry) => {
        const { name, state, reason, progress, queued, active, restarts, rssBytes } = entry.status();
        const { capability, model } = entry;
        return {
          ...{ name, capability, model, state, queued, active, restarts, memoryBytes: rssBytes },
          reason: reason ?? null,
          progress: progress ?? null,
        };
      }),
    engineStates: () => board.report(),
    models: () =>
      catalog.flatMap((model) => {
        const missing = models.missing(model.id);
        // What somebody might add is no news until it is here.
        if (missing && model.isExtra) return [];
        const { current } = board.pull;
        return {
          id: model.id,
          capability: model.capability,
          licence: model.licence.name,
          source: describeSource(model.source),
          bytes: downloadBytes(model),
          isHere: missing === undefined,
          missing: missing ?? null,
          progress: current?.model === model.id ? current.fraction : null,
        };
      }),
    pull: () => board.pull,
    settings: () => reportSettings(settings),
  };
}

function describeSource(source: ModelSource): string {
  if ("npm" in source) return `npm:${source.npm}`;
  if ("path" in source) return source.path;
  return "https" in source ? source.https : "this repository";
}
