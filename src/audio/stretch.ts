import initializeSonic, { type SonicModule } from "@echogarden/sonic-wasm";
import { joinSamples } from "./pcm.ts";

/** Changes how fast speech goes and leaves its pitch alone. */
export interface Stretcher {
  process(samples: Float32Array): Float32Array;
  /** The rest, once; also frees the stretcher. */
  flush(): Float32Array;
}

const BLOCK = 4096;
let loading: Promise<SonicModule> | undefined;

export async function createStretcher(sampleRateHz: number, speed: number): Promise<Stretcher> {
  loading ??= initializeSonic();
  const sonic = await loading;
  const stream = sonic._sonicCreateStream(sampleRateHz, 1);
  const block = sonic._malloc(BLOCK * 4);
  sonic._sonicSetSpeed(stream, speed);
  sonic._sonicSetQuality(stream, 1);

  function read(): Float32Array {
    const parts: Float32Array[] = [];
    for (;;) {
      const count = sonic._sonicReadFloatFromStream(stream, block, BLOCK);
      if (count <= 0) return joinSamples(parts);
      // The heap's view is looked up each time: it is replaced when the memory grows.
      parts.push(sonic.HEAPF32.slice(block >> 2, (block >> 2) + count));
    }
  }

  return {
    process(samples) {
      const parts: Float32Array[] = [];
      for (let start = 0; start < samples.length; start += BLOCK) {
        const part = samples.subarray(start, start + BLOCK);
        sonic.HEAPF32.set(part, block >> 2);
        sonic._sonicWriteFloatToStream(stream, block, part.length);
        parts.push(read());
      }
      return joinSamples(parts);
    },
    flush() {
      sonic._sonicFlushStream(stream);
      const rest = read();
      sonic._sonicDestroyStream(stream);
      sonic._free(block);
      return rest;
    },
  };
}

/** Fits speech into exactly `length` samples, as dubbing needs it: the last few milliseconds are cut or filled with silence. */
export async function stretchTo(samples: Float32Array, sampleRateHz: number, length: number): Promise<Float32Array> {
  if (samples.length === length || samples.length === 0) return padOrCut(samples, length);
  const stretcher = await createStretcher(sampleRateHz, samples.length / length);
  return padOrCut(joinSamples([stretcher.process(samples), stretcher.flush()]), length);
}

/** Speech at `speed` times its pace. The length is exact: `round(length / speed)`. */
export async function changeSpeed(samples: Float32Array, sampleRateHz: number, speed: number): Promise<Float32Array> {
  return speed === 1 ? samples : stretchTo(samples, sampleRateHz, Math.round(samples.length / speed));
}

function padOrCut(samples: Float32Array, length: number): Float32Array {
  const fitted = new Float32Array(length);
  fitted.set(samples.subarray(0, length));
  return fitted;
}
