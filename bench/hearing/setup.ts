import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { createHearingEngines, type HearingEngines } from "../../src/main/hearing-engines.ts";
import { createStatusBoard } from "../../src/main/status-board.ts";
import { createLog } from "../../src/platform/log.ts";
import { packageRoot } from "../../src/platform/package-root.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";

export interface Clip {
  path: string;
  language: string;
  transcript: string;
  seconds: number;
}

/** Human speech with transcripts: a folder with manifest.tsv (path, language, transcript, seconds). */
export function readClips(): { folder: string; clips: Clip[] } {
  const data = process.env.PARLANCE_DATA ?? join(packageRoot(), "..", "shared", "data");
  const folder = join(data, "speech");
  const manifest = join(folder, "manifest.tsv");
  if (!existsSync(manifest)) {
    console.error(
      `No speech at ${manifest}. Set PARLANCE_DATA to a folder with speech/manifest.tsv and its recordings.`,
    );
    process.exit(1);
  }
  const rows = readFileSync(manifest, "utf8").trim().split("\n").slice(1);
  const clips = rows.map((row) => {
    const [path, language, transcript, seconds] = row.split("\t");
    return { path: path!, language: language!, transcript: transcript!, seconds: Number(seconds) };
  });
  return { folder, clips };
}

/** The engines as `serve` makes them. */
export function startEngines(env: Record<string, string> = {}): HearingEngines {
  const settings = readSettings({ ...process.env, ...env });
  const models = createModelStore(settings.storage.modelsDir, readCatalog());
  const log = createLog({ level: "warn", keepsTranscripts: true });
  return createHearingEngines({ settings, models, board: createStatusBoard(models), log });
}

/** The value of `--name=value`. */
export function flagOf(name: string): string | undefined {
  return process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
}

/** CPU seconds that this process's engine children have used, by a part of their module's path. Linux only. */
export function childCpuSeconds(...modules: string[]): number {
  const ticks = 100;
  return sumOverChildren(modules, (pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) / ticks;
  });
}

/** Resident memory of engine children. */
export function childMegabytes(...modules: string[]): number {
  return sumOverChildren(modules, (pid) => {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    return Math.round((pages * 4096) / 1e6);
  });
}

function sumOverChildren(modules: readonly string[], measure: (pid: string) => number): number {
  let total = 0;
  for (const task of readdirSync("/proc/self/task")) {
    for (const pid of readFileSync(`/proc/self/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean)) {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        if (modules.some((module) => command.includes(module))) total += measure(pid);
      } catch {
        // It has just ended.
      }
    }
  }
  return total;
}
