const HEADER_BYTES = 44;
const OPEN_ENDED = 0xffffffff;

export interface WavFormat {
  readonly sampleRateHz: number;
  readonly channels?: number;
}

/** The 44 bytes before 16-bit PCM. Without `dataBytes` the sizes say "until the stream ends", as live encoders write it. */
export function wavHeader(format: WavFormat, dataBytes?: number): Uint8Array {
  const channels = format.channels ?? 1;
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  writeAscii(header, 0, "RIFF");
  view.setUint32(4, dataBytes === undefined ? OPEN_ENDED : dataBytes + HEADER_BYTES - 8, true);
  writeAscii(header, 8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, format.sampleRateHz, true);
  view.setUint32(28, format.sampleRateHz * channels * 2, true);
  view.setUint16(32, channels * 2, true);
  view.setUint16(34, 16, true);
  writeAscii(header, 36, "data");
  view.setUint32(40, dataBytes ?? OPEN_ENDED, true);
  return header;
}

export interface DecodedWav {
  readonly samples: Float32Array;
  readonly sampleRateHz: number;
}

/** Reads 16-bit or float PCM and mixes it to mono. Returns undefined for anything else: this is for trusted engines, not for uploads. */
export function readWav(bytes: Uint8Array): DecodedWav | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || ascii(bytes, 0) !== "RIFF" || ascii(bytes, 8) !== "WAVE") return undefined;
  let format: { code: number; channels: number; sampleRateHz: number; bits: number } | undefined;
  for (let offset = 12; offset + 8 <= bytes.length; ) {
    const name = ascii(bytes, offset);
    const size = view.getUint32(offset + 4, true);
    const start = offset + 8;
    if (name === "fmt " && start + 16 <= bytes.length) {
      format = {
        code: view.getUint16(start, true),
        channels: view.getUint16(start + 2, true),
        sampleRateHz: view.getUint32(start + 4, true),
        bits: view.getUint16(start + 14, true),
      };
    } else if (name === "data" && format !== undefined) {
      const read = sampleReader(view, format.code, format.bits);
      if (read === undefined || format.channels < 1) return undefined;
      const frameBytes = (format.channels * format.bits) / 8;
      const frames = Math.floor(Math.min(size, bytes.length - start) / frameBytes);
      const samples = new Float32Array(frames);
      for (let i = 0; i < frames; i++) {
        let sum = 0;
        for (let c = 0; c < format.channels; c++) sum += read(start + i * frameBytes + (c * format.bits) / 8);
        samples[i] = sum / format.channels;
      }
      return { samples, sampleRateHz: format.sampleRateHz };
    }
    offset = start + size + (size & 1);
  }
  return undefined;
}

function sampleReader(view: DataView, code: number, bits: number): ((offset: number) => number) | undefined {
  if (code === 3 && bits === 32) return (offset) => view.getFloat32(offset, true);
  if ((code === 1 || code === 0xfffe) && bits === 16) return (offset) => view.getInt16(offset, true) / 32768;
  return undefined;
}

function writeAscii(target: Uint8Array, offset: number, text: string): void {
  for (let i = 0; i < text.length; i++) target[offset + i] = text.charCodeAt(i);
}

function ascii(bytes: Uint8Array, offset: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + 4));
}
