import { readdirSync } from "node:fs";
import { Problem } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import { rememberFor } from "../../../platform/remember-for.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { TranslationEngine } from "../../../ports/translation-engine.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import type { ApertiumChildSettings, ApertiumJob } from "./child.ts";
import { type Chain, readChains } from "./directions.ts";

export const MODES_FOLDER = "/usr/share/apertium/modes";
export const INSTALL_HINT =
  "More languages translate with Debian's Apertium packages. Install them with: sudo scripts/apertium-packages";

export interface ApertiumOptions {
  readonly log: Log;
  readonly modesFolder?: string;
  readonly directions?: readonly Chain[];
}

export interface Apertium extends TranslationEngine {
  readonly host: EngineHost;
  /** One chain of modes as it is, for measuring. */
  runChain(chain: readonly string[], text: string): Promise<string>;
}

/** Rule-based translation by Apertium (GPL, so in processes of its own), through the chain that was measured to be best. */
export function createApertium(options: ApertiumOptions): Apertium {
  const { log, modesFolder = MODES_FOLDER } = options;
  const known = options.directions ?? readChains();
  const installed = rememberFor(5000, () => installedDirections(known, modesFolder));
  const missing = () => (installed().length === 0 ? INSTALL_HINT : undefined);
  const host = createEngineHost({
    name: "apertium",
    module: siblingModule(import.meta.url, "./child"),
    settings: (): ApertiumChildSettings => ({ modesFolder, mostPipelines: 12 }),
    missing,
    jobsPerChild: 8,
    queueLimit: 256,
    deadlineMs: 60_000,
    niceness: 2,
    memoryLimitMb: 1024,
    log,
  });
  const ask = (job: ApertiumJob, turn: { key: string; flow: string }, signal?: AbortSignal) =>
    host.ask<string>("translate", job, { ...turn, size: job.text.length, ...(signal ? { signal } : {}) });

  return {
    host,
    missing,
    directions: () => installed().map(({ source, target, quality }) => ({ source, target, quality })),
    runChain: (chain, text) => ask({ chain, text }, { key: "measure", flow: "measure" }),
    async translate({ text, source, target, key, flow }, signal) {
      const direction = installed().find((one) => one.source === source && one.target === target);
      if (!direction) throw new Problem("invalid_request", `Apertium cannot translate from ${source} to ${target}.`);
      const translated = await ask({ text, chain: direction.chain }, { key, flow }, signal);
      const usage = { inputTokens: countTokens(text), outputTokens: countTokens(translated), cachedTokens: null };
      return { text: translated, usage };
    },
  };
}

/** Those whose modes are on this machine. */
export function installedDirections(known: readonly Chain[] = readChains(), modesFolder = MODES_FOLDER): Chain[] {
  const modes = listModes(modesFolder);
  return known.filter(({ chain }) => chain.every((mode) => modes.has(mode)));
}

function listModes(folder: string): Set<string> {
  try {
    return new Set(readdirSync(folder).map((name) => name.replace(/\.mode$/, "")));
  } catch {
    return new Set();
  }
}

/** Rules work on words and marks, so these are what is counted. */
export function countTokens(text: string): number {
  return text.match(/[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*|[^\s\p{L}\p{M}\p{N}]/gu)?.length ?? 0;
}
