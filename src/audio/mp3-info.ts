/** What LAME adds in front of the audio; a decoder adds its own 529 samples and takes both away again. */
const ENCODER_DELAY = 576;
const FRAME_SAMPLES = 576;

/**
 * A silent frame in front of an MPEG-2 mono stream (16 to 24 kHz) that tells players how many samples there really are: an mp3
 * begins with the encoder's delay and ends with a filled-up frame, and only this tag lets a decoder cut both off.
 */
export function mp3InfoFrame(stream: Uint8Array, sampleCount: number): Uint8Array {
  const header = stream.subarray(0, 4);
  const frames = countFrames(stream);
  const frame = new Uint8Array(frameBytes(header) - ((header[2]! >> 1) & 1));
  frame.set(header);
  frame[2]! &= ~0x02; // no padding byte
  const view = new DataView(frame.buffer);
  const tag = 4 + 9; // behind the side information of a mono frame
  writeAscii(frame, tag, "Info");
  view.setUint32(tag + 4, 0x0f);
  view.setUint32(tag + 8, frames);
  view.setUint32(tag + 12, stream.length + frame.length);
  // A constant bit rate: every hundredth of the time is a hundredth of the bytes.
  for (let i = 0; i < 100; i++) frame[tag + 16 + i] = Math.round((i * 256) / 100);
  const lame = tag + 120;
  writeAscii(frame, lame, "LAME3.100");
  const padding = Math.max(0, frames * FRAME_SAMPLES - ENCODER_DELAY - sampleCount);
  frame[lame + 21] = ENCODER_DELAY >> 4;
  frame[lame + 22] = ((ENCODER_DELAY & 0x0f) << 4) | (padding >> 8);
  frame[lame + 23] = padding & 0xff;
  return frame;
}

function countFrames(stream: Uint8Array): number {
  let count = 0;
  for (let at = 0; at + 4 <= stream.length; count++) at += frameBytes(stream.subarray(at, at + 4));
  return count;
}

const BITRATES_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES_HZ = [22050, 24000, 16000];

function frameBytes(header: Uint8Array): number {
  const kbps = BITRATES_KBPS[header[2]! >> 4]!;
  const rate = RATES_HZ[(header[2]! >> 2) & 3]!;
  return Math.floor((72000 * kbps) / rate) + ((header[2]! >> 1) & 1);
}

function writeAscii(target: Uint8Array, offset: number, text: string): void {
  for (let i = 0; i < text.length; i++) target[offset + i] = text.charCodeAt(i);
}
