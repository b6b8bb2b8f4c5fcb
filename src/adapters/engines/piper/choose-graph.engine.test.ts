import { readFileSync } from "node:fs";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { lacksModels, modelStore } from "../../../../tests/support/local-speech.ts";
import { melDistance } from "../../../audio/mel.ts";
import { joinSamples } from "../../../audio/pcm.ts";
import { processorKind } from "../../../platform/processor.ts";
import { folderForProcessor } from "../../models/model-folder.ts";
import { buildPiperGraph } from "./build-graph.ts";
import { PIPER_GRAPH, PIPER_GRAPH_REPORT, PIPER_SPEAKER_INPUT, PIPER_SPEAKERS, SPEAKER_NUMBERS } from "./files.ts";
import { makeParts, makePlan, openHalves } from "./halves.ts";
import { PIPER_MODEL } from "./piper.ts";
import { readPiperTokens, toPiperIds } from "./piper-ids.ts";

describe.skipIf(lacksModels(PIPER_MODEL))("Piper's rebuilt graphs", () => {
  const folder = modelStore.folder(PIPER_MODEL);

  const tokens = readPiperTokens(readFileSync(join(folder, "tokens.txt"), "utf8"));
  const ids = toPiperIds("wˌʌt ɐ stɹˈeɪndʒ ænd wˈʌndɚfəl məʃˈiːn.", tokens);
  const speakers = readFileSync(join(folder, PIPER_SPEAKERS));
  const speaker = Float32Array.from({ length: SPEAKER_NUMBERS }, (_, i) => speakers.readFloatLE(i * 4));

  async function speak(graph: Uint8Array): Promise<Float32Array> {
    const session = await InferenceSession.create(graph, { intraOpNumThreads: 1 });
    const { output } = await session.run({
      input: new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]),
      input_lengths: new Tensor("int64", BigInt64Array.of(BigInt(ids.length)), [1]),
      scales: new Tensor("float32", Float32Array.of(0, 1, 0), [3]),
      [PIPER_SPEAKER_INPUT]: new Tensor("float32", speaker, [1, SPEAKER_NUMBERS]),
    });
    const wave = Float32Array.from(output!.data as Float32Array);
    await session.release();
    return wave;
  }

  it("the one that was chosen for this machine sounds like the shipped one", { timeout: 600_000 }, async () => {
    const chosen = await speak(readFileSync(join(folderForProcessor(folder, PIPER_GRAPH), PIPER_GRAPH)));
    const shipped = await speak(buildPiperGraph(readFileSync(join(folder, "model.onnx")), "shipped"));
    expect(chosen.length).toBe(shipped.length);
    expect(melDistance(chosen, shipped, 22050)).toBeLessThan(2);
  });

  it("a wave made in two parts is the wave made at once", async () => {
    const graph = readFileSync(join(folderForProcessor(folder, PIPER_GRAPH), PIPER_GRAPH));
    const whole = await speak(graph);
    const halves = await openHalves(graph, 1);
    const plan = await makePlan(halves, { ids, speaker, speed: 1, noise: 0 });
    const parts: Float32Array[] = [];
    for await (const { samples } of makeParts(halves, plan)) parts.push(samples);
    expect(parts).toHaveLength(2);
    const joined = joinSamples(parts);
    expect(joined.length).toBe(whole.length);
    expect(joined.reduce((most, value, index) => Math.max(most, Math.abs(value - whole[index]!)), 0)).toBeLessThan(
      1e-3,
    );
  });

  it("it is not slower than the shipped one", () => {
    const { chosen, trials } = JSON.parse(readFileSync(join(folder, processorKind(), PIPER_GRAPH_REPORT), "utf8"));
    const cost = (name: string) =>
      trials.find(({ variant }: { variant: string }) => variant === name).cpuPerAudioSecond;
    expect(cost(chosen)).toBeLessThanOrEqual(cost("shipped"));
  });
});
