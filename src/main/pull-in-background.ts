import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { PlatformLog } from "../platform/log.ts";
import { execArgvFor, siblingModule } from "../platform/sibling-module.ts";
import { progressBar } from "../platform/terminal-lines.ts";
import type { StatusBoard } from "./status-board.ts";

/** Waits between tries, in seconds; the last one for ever. */
const retrySeconds = [15, 30, 60, 120, 300];

/** Fetches models, those named or the default ones, in a process of its own, so that making derived files never slows the server. What cannot be
 *  fetched is tried again until it is here. */
export function pullInBackground(board: StatusBoard, log: PlatformLog, ids: readonly string[]): { stop(): void } {
  let tries = 0;
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    child = pullOnce(board, log, ids, () => {
      const seconds = retrySeconds[Math.min(tries, retrySeconds.length - 1)]!;
      tries += 1;
      log.warn({ reason: board.pull.failure, retryInSeconds: seconds }, "models could not be fetched");
      timer = setTimeout(begin, seconds * 1000).unref();
    });
  };
  begin();
  return {
    stop() {
      clearTimeout(timer);
      child?.kill();
    },
  };
}

function pullOnce(board: StatusBoard, log: PlatformLog, ids: readonly string[], onFailure: () => void): ChildProcess {
  const cli = siblingModule(import.meta.url, "./cli");
  const child = spawn(process.execPath, [...execArgvFor(cli), cli, "models", "pull", "--json", ...ids], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
  });
  board.pull.isRunning = true;
  let announced = "";
  createInterface({ input: child.stdout }).on("line", (line) => {
    const progress = parse(line);
    if (!progress) return;
    board.pull.current = progress;
    log.status?.(`Fetching models: ${progress.model} ${progressBar(progress.fraction)}`);
    const step = `${progress.model} ${progress.stage}`;
    if (step !== announced) log.info({ model: progress.model, stage: progress.stage }, "fetching models");
    announced = step;
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-500);
  });
  child.once("exit", (code) => {
    board.pull.isRunning = false;
    log.status?.(undefined);
    delete board.pull.current;
    if (code === 0) {
      delete board.pull.failure;
      log.info({}, "all default models are here");
    } else if (code !== null) {
      board.pull.failure = complaint.trim() || `models pull ended with ${code}`;
      onFailure();
    }
  });
  return child;
}

function parse(line: string): { model: string; stage: string; fraction: number } | undefined {
  try {
    return JSON.parse(line) as { model: string; stage: string; fraction: number };
  } catch {
    return undefined;
  }
}
