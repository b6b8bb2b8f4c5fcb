import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { PlatformLog } from "../platform/log.ts";
import { execArgvFor, siblingModule } from "../platform/sibling-module.ts";
import type { StatusBoard } from "./status-board.ts";

/** Fetches the default models in a process of its own, so that making derived files never slows the server. */
export function pullInBackground(board: StatusBoard, log: PlatformLog): { stop(): void } {
  const cli = siblingModule(import.meta.url, "./cli");
  const child = spawn(process.execPath, [...execArgvFor(cli), cli, "models", "pull", "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
  });
  board.pull.isRunning = true;
  let announced = "";
  createInterface({ input: child.stdout }).on("line", (line) => {
    const progress = parse(line);
    if (!progress) return;
    board.pull.current = progress;
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
    delete board.pull.current;
    if (code === 0) {
      log.info({}, "all default models are here");
    } else if (code !== null) {
      board.pull.failure = complaint.trim() || `models pull ended with ${code}`;
      log.warn({ reason: board.pull.failure }, "models could not be fetched; run: ./parlance models pull");
    }
  });
  return { stop: () => child.kill() };
}

function parse(line: string): { model: string; stage: string; fraction: number } | undefined {
  try {
    return JSON.parse(line) as { model: string; stage: string; fraction: number };
  } catch {
    return undefined;
  }
}
