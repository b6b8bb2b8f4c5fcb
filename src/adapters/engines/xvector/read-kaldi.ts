/** A matrix row by row, as Kaldi keeps it. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
}

export interface Layer {
  readonly weights: Matrix;
  readonly bias: Float32Array;
}

export interface Normalization {
  readonly mean: Float32Array;
  readonly scale: Float32Array;
}

/** The parts of a Kaldi network by the names of its components. */
export interface KaldiNetwork {
  layer(name: string): Layer;
  normalization(name: string): Normalization;
}

/** Reads Kaldi's binary network: text tags with binary numbers between them. */
export function readKaldiNetwork(bytes: Buffer): KaldiNetwork {
  const text = bytes.toString("latin1");
  const starts = [...text.matchAll(/<ComponentName> (\S+) </g)].map((match) => ({ name: match[1]!, at: match.index }));
  const find = (name: string, tag: string): number => {
    const index = starts.findIndex((start) => start.name === name);
    const at = index < 0 ? -1 : text.indexOf(tag, starts[index]!.at);
    const end = starts[index + 1]?.at ?? bytes.length;
    if (at < 0 || at >= end) throw new Error(`the network has no ${tag} in ${name}`);
    return at + tag.length;
  };
  return {
    layer: (name) => ({
      weights: readKaldiMatrix(bytes, find(name, "<LinearParams> ")),
      bias: readVector(bytes, find(name, "<BiasParams> ")),
    }),
    normalization(name) {
      const variance = readVector(bytes, find(name, "<StatsVar> "));
      // A number is preceded by a byte with its size.
      const epsilon = bytes.readFloatLE(find(name, "<Epsilon> ") + 1);
      const target = bytes.readFloatLE(find(name, "<TargetRms> ") + 1);
      return {
        mean: readVector(bytes, find(name, "<StatsMean> ")),
        scale: variance.map((value) => target / Math.sqrt(value + epsilon)),
      };
    },
  };
}

/** "FM ", then rows and columns, each after a byte with its size. */
export function readKaldiMatrix(bytes: Buffer, at = bytes.indexOf("FM ")): Matrix {
  const rows = bytes.readInt32LE(at + 4);
  const columns = bytes.readInt32LE(at + 9);
  return { rows, columns, values: readFloats(bytes, at + 13, rows * columns) };
}

/** "[ 1 2 3 ]" */
export function readKaldiText(text: string): Float32Array {
  return Float32Array.from(text.replace(/[[\]]/g, " ").trim().split(/\s+/), Number);
}

/** "FV ", then the length after a byte with its size. */
function readVector(bytes: Buffer, at: number): Float32Array {
  return readFloats(bytes, at + 8, bytes.readInt32LE(at + 4));
}

function readFloats(bytes: Buffer, at: number, count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => bytes.readFloatLE(at + 4 * i));
}
