/** How long a recording is by what its own headers say, without decoding it: WAV, MP3, Ogg, FLAC, MP4 and WebM. Undefined for
 *  anything else, and for files that do not say it. */
export function audioSeconds(file: Buffer): number | undefined {
  let seconds: number | undefined;
  try {
    seconds = read(file);
  } catch {
    // A length or an offset that points outside the file.
  }
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

function read(file: Buffer): number | undefined {
  const start = file.toString("latin1", 0, 12);
  if (start.startsWith("RIFF") && start.endsWith("WAVE")) return wav(file);
  if (start.startsWith("OggS")) return ogg(file);
  if (start.startsWith("fLaC")) return flac(file);
  if (start.slice(4, 8) === "ftyp") return mp4(file, 0, file.length);
  if (file.readUInt32BE(0) === 0x1a45dfa3) return webm(file);
  return mp3(file);
}

function wav(file: Buffer): number | undefined {
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString("latin1", at, at + 4);
    const size = file.readUInt32LE(at + 4);
    if (name === "fmt ") bytesPerSecond = file.readUInt32LE(at + 16);
    // Live encoders do not know the size when they write it.
    if (name === "data") return Math.min(size, file.length - at - 8) / bytesPerSecond;
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** The position of the last page, at the rate that the first one names; Opus always counts at 48 kHz. */
function ogg(file: Buffer): number | undefined {
  const last = file.lastIndexOf("OggS");
  const opus = file.indexOf("OpusHead");
  const vorbis = file.indexOf("\x01vorbis", 0, "latin1");
  const rate = opus >= 0 && opus < 200 ? 48_000 : vorbis >= 0 ? file.readUInt32LE(vorbis + 12) : 0;
  return Number(file.readBigInt64LE(last + 6)) / rate;
}

/** STREAMINFO: 20 bits of rate and 36 bits of samples. */
function flac(file: Buffer): number {
  const rate = file.readUIntBE(18, 3) >> 4;
  return ((file[21]! & 0x0f) * 2 ** 32 + file.readUInt32BE(22)) / rate;
}

function mp4(file: Buffer, from: number, to: number): number | undefined {
  for (let at = from; at + 8 <= to; ) {
    const name = file.toString("latin1", at + 4, at + 8);
    const given = file.readUInt32BE(at);
    const size = given === 1 ? Number(file.readBigUInt64BE(at + 8)) : given === 0 ? to - at : given;
    if (size < 8) return undefined;
    if (name === "moov") return mp4(file, at + 8, Math.min(to, at + size));
    if (name === "mvhd") {
      const isLong = file[at + 8] === 1;
      const scale = file.readUInt32BE(at + (isLong ? 28 : 20));
      return (isLong ? Number(file.readBigUInt64BE(at + 32)) : file.readUInt32BE(at + 24)) / scale;
    }
    at += size;
  }
  return undefined;
}

/** The duration of the segment's information, in units of a millisecond unless it says otherwise. */
function webm(file: Buffer): number | undefined {
  const head = file.subarray(0, 4096);
  const scaleAt = head.indexOf(Buffer.from([0x2a, 0xd7, 0xb1]));
  const scale = scaleAt < 0 ? 1_000_000 : head.readUIntBE(scaleAt + 4, head[scaleAt + 3]! & 0x0f);
  const at = head.indexOf(Buffer.from([0x44, 0x89]));
  if (at < 0) return undefined;
  const units = head[at + 2] === 0x88 ? head.readDoubleBE(at + 3) : head.readFloatBE(at + 3);
  return (units * scale) / 1e9;
}

const mp3Rates = [44_100, 48_000, 32_000];
const mp3Kbps = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** The frames of layer III, one by one: their bit rates may differ. */
function mp3(file: Buffer): number | undefined {
  let at = 0;
  if (file.toString("latin1", 0, 3) === "ID3") {
    at = 10 + ((file[6]! << 21) | (file[7]! << 14) | (file[8]! << 7) | file[9]!);
  }
  let seconds = 0;
  while (at + 4 <= file.length) {
    const [first, second, third] = [file[at]!, file[at + 1]!, file[at + 2]!];
    const version = (second >> 3) & 3;
    const rate = mp3Rates[(third >> 2) & 3];
    const isFrame = first === 0xff && second >> 5 === 7 && version !== 1 && ((second >> 1) & 3) === 1;
    const kbps = mp3Kbps[version === 3 ? 1 : 2][third >> 4];
    if (!isFrame || !rate || !kbps) break;
    const rateHz = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4;
    seconds += (version === 3 ? 1152 : 576) / rateHz;
    at += Math.floor(((version === 3 ? 144_000 : 72_000) * kbps) / rateHz) + ((third >> 1) & 1);
  }
  return seconds;
}
