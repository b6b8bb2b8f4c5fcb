import { readFileSync } from "node:fs";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { lacksModels, modelStore } from "../../../../tests/support/local-speech.ts";
import { melDistance } from "../../../audio/mel.ts";
import { processorKind } from "../../../platform/processor.ts";
import { folderForProcessor } from "../../models/model-folder.ts";
import { KOKORO_GRAPH, KOKORO_GRAPH_REPORT } from "./files.ts";
import { toSymbolIds } from "./symbols.ts";

describe.skipIf(lacksModels("kokoro-82m"))("Kokoro's rebuilt graphs", () => {
  const folder = modelStore.folder("kokoro-82m");

  async function speak(graph: string, voice: string): Promise<Float32Array> {
    const session = await InferenceSession.create(graph, { intraOpNumThreads: 1 });
    const ids = toSymbolIds("wˌʌt ɐ stɹˈAnʤ ænd wˈʌndəɹfəl məʃˈin ðɪs ˈɪz.");
    const table = readFileSync(join(folder, "voices", `${voice}.bin`));
    const { waveform } = await session.run({
      input_ids: new Tensor("int64", BigInt64Array.from([0, ...ids, 0].map(BigInt)), [1, ids.length + 2]),
      style: new Tensor(
        "float32",
        Float32Array.from({ length: 256 }, (_, i) => table.readFloatLE((ids.length * 256 + i) * 4)),
        [1, 256],
      ),
      speed: new Tensor("float32", Float32Array.of(1), [1]),
    });
    const wave = Float32Array.from(waveform!.data as Float32Array);
    await session.release();
    return wave;
  }

  it("the one that was chosen for this machine sounds like the shipped one", { timeout: 600_000 }, async () => {
    const chosen = await speak(join(folderForProcessor(folder, KOKORO_GRAPH), KOKORO_GRAPH), "bm_george");
    const shipped = await speak(join(folder, "kokoro-quantized.onnx"), "bm_george");
    expect(chosen.length).toBe(shipped.length);
    expect(melDistance(chosen, shipped, 24000)).toBeLessThan(4);
  });

  it("it is not slower than the shipped one", () => {
    const { chosen, trials } = JSON.parse(readFileSync(join(folder, processorKind(), KOKORO_GRAPH_REPORT), "utf8"));
    const cost = (name: string) =>
      trials.find(({ variant }: { variant: string }) => variant === name).cpuPerAudioSecond;
    expect(cost(chosen)).toBeLessThanOrEqual(cost("shipped"));
  });
});
