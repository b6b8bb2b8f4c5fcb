import type { PullProgress } from "../../adapters/models/pull.ts";

export function printJsonLine(progress: PullProgress): void {
  console.log(JSON.stringify(progress));
}

/** A bar at a terminal; elsewhere only where a stage begins and ends. */
export function drawBar({ stage, fraction, bytes }: PullProgress): void {
  const isEnd = stage === "done";
  if (!process.stdout.isTTY) {
    if (bytes === undefined && (fraction === 0 || fraction === 1))
      console.log(`  ${stage} ${Math.round(fraction * 100)} %`);
    return;
  }
  const filled = Math.round(fraction * 30);
  const bar = `${"#".repeat(filled)}${".".repeat(30 - filled)} ${Math.round(fraction * 100)} %`;
  const shown = bytes === undefined ? bar : `${(bytes / 1e6).toFixed(1)} MB`;
  process.stdout.write(`\r  ${stage.padEnd(9)} ${shown}${isEnd ? "\n" : ""}`);
}
