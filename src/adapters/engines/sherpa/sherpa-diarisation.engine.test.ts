import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeTestDiarisation } from "../../../../tests/support/test-diarisation.ts";
import { silentLog } from "../../../platform/log.ts";
import { parseOwnAddress } from "../own-weights/parse-address.ts";
import { openFolder } from "./open-folder.ts";
import { createSherpaDiarisation } from "./sherpa-diarisation.ts";

/** Hums of a height, with pauses of a second between them. */
function hum(heights: readonly number[], seconds = 3): Float32Array {
  const [rate, pause] = [16_000, 1];
  const samples = new Float32Array(heights.length * (seconds + pause) * rate);
  for (const [index, hz] of heights.entries()) {
    const start = index * (seconds + pause) * rate;
    for (let at = 0; at < seconds * rate; at++) samples[start + at] = 0.3 * Math.sin((2 * Math.PI * hz * at) / rate);
  }
  return samples;
}

it("a segmentation and an embedding model tell who speaks when", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parlance-who-"));
  writeTestDiarisation(folder);
  const address = parseOwnAddress(`sherpa:${folder}`, ["sherpa"])!;
  const found = openFolder("SVC_DIARISATION_ENGINE", address, ["diarisation"], folder);
  const engine = createSherpaDiarisation({ folder: found, log: silentLog, threads: 1 });
  try {
    const turn = { key: "k", flow: "f" };
    const told = await engine.diarise({ samples: hum([200, 2000, 200]), ...turn }, new AbortController().signal);
    expect(told).toHaveLength(3);
    const [low, high, again] = told;
    expect(again!.speaker).toBe(low!.speaker);
    expect(high!.speaker).not.toBe(low!.speaker);
    for (const [index, { startMs, endMs }] of told.entries()) {
      expect(Math.abs(startMs - index * 4000)).toBeLessThan(200);
      expect(Math.abs(endMs - index * 4000 - 3000)).toBeLessThan(200);
    }
    const silence = { samples: new Float32Array(32_000), ...turn };
    expect(await engine.diarise(silence, new AbortController().signal)).toEqual([]);
  } finally {
    await engine.host.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
