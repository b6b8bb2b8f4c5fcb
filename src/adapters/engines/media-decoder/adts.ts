/** What an MP4 says about its AAC track. */
export interface AacSettings {
  readonly objectType: number;
  readonly rateIndex: number;
  readonly channels: number;
}

const rates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];
const spectralBandReplication = 5;
const parametricStereo = 29;

/** Reads an AudioSpecificConfig (ISO 14496-3). Undefined when it describes something that ADTS cannot carry. */
export function readAacSettings(description: Uint8Array): AacSettings | undefined {
  let position = 0;
  const read = (bits: number): number => {
    let value = 0;
    for (let i = 0; i < bits; i++, position++) {
      value = value * 2 + (((description[position >> 3] ?? 0) >> (7 - (position & 7))) & 1);
    }
    return value;
  };
  const readType = () => {
    const type = read(5);
    return type === 31 ? 32 + read(6) : type;
  };
  const readRate = () => {
    const index = read(4);
    return index === 15 ? rates.indexOf(read(24)) : index;
  };
  let objectType = readType();
  const rateIndex = readRate();
  const channels = read(4);
  if (objectType === spectralBandReplication || objectType === parametricStereo) {
    readRate();
    objectType = readType();
  }
  // ADTS has two bits for the type and three for the channels.
  const isCarried = objectType >= 1 && objectType <= 4 && rateIndex >= 0 && rateIndex < rates.length && channels <= 7;
  return isCarried ? { objectType, rateIndex, channels } : undefined;
}

/** One AAC frame with the header that makes it readable without its container. */
export function withAdtsHeader(frame: Uint8Array, { objectType, rateIndex, channels }: AacSettings): Uint8Array {
  const length = frame.length + 7;
  const framed = new Uint8Array(length);
  framed[0] = 0xff;
  framed[1] = 0xf1;
  framed[2] = ((objectType - 1) << 6) | (rateIndex << 2) | (channels >> 2);
  framed[3] = ((channels & 3) << 6) | (length >> 11);
  framed[4] = (length >> 3) & 0xff;
  framed[5] = ((length & 7) << 5) | 0x1f;
  framed[6] = 0xfc;
  framed.set(frame, 7);
  return framed;
}
