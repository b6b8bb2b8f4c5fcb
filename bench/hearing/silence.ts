// Words invented where nobody speaks. The goal, and what a recogniser without voice activity is compared with, is zero.
//   npm run bench -- hearing/silence
import { toPcm16 } from "../../src/audio/pcm.ts";
import { wavHeader } from "../../src/audio/wav.ts";
import { transcribe } from "../../src/voice/transcription/transcribe.ts";
import { startEngines } from "./setup.ts";

const seconds = 60;
const rate = 16_000;
const at = (make: (t: number, i: number) => number) =>
  Float32Array.from({ length: seconds * rate }, (_, i) => make(i / rate, i));
const tone = (hz: number, t: number) => Math.sin(2 * Math.PI * hz * t);
const chords = [
  [262, 330, 392],
  [220, 262, 330],
  [175, 220, 262],
  [196, 247, 294],
];

/** Plucked chords with overtones, a bass and a noisy beat. */
function music(t: number): number {
  const chord = chords[Math.floor(t / 2) % 4]!;
  const beat = t % 0.5;
  const strings = chord.reduce((sum, hz) => sum + tone(hz, t) + tone(2 * hz, t) / 2 + tone(3 * hz, t) / 3, 0);
  const drum = beat < 0.05 ? (Math.random() - 0.5) * 2 : 0;
  return 0.08 * strings * Math.exp(-beat * 3) + 0.1 * tone(chord[0]! / 2, t) + 0.2 * drum;
}

let brown = 0;
const sounds: Record<string, Float32Array> = {
  silence: at(() => 0),
  "white noise": at(() => (Math.random() - 0.5) * 0.3),
  "faint noise": at(() => (Math.random() - 0.5) * 0.003),
  "rumbling noise": at(() => {
    brown = 0.98 * brown + (Math.random() - 0.5) * 0.05;
    return brown;
  }),
  "mains hum": at((t) => 0.2 * tone(50, t) + 0.1 * tone(150, t)),
  "dial tones": at((t) => (t % 1 < 0.5 ? 0.2 * (tone(697, t) + tone(1336, t)) : 0)),
  clicks: at((_, i) => (i % 8000 < 20 ? 0.8 : 0)),
  music: at(music),
};

const engines = startEngines();
const signal = new AbortController().signal;
const languages = ["auto", "en", "es", "de", "fr"];
let invented = 0;
let bareWords = 0;
for (const [name, samples] of Object.entries(sounds)) {
  const pcm = toPcm16(samples);
  const bytes = Buffer.concat([wavHeader({ sampleRateHz: rate }, pcm.length), pcm]);
  // Past voice activity, which hears nobody in any of these: whether the recognisers themselves would write something.
  const bare = { samples: samples.subarray(0, 10 * rate), speechMs: 5000, isInterim: false, key: "bench", flow: name };
  const heard = await engines.transcription.hear({ ...bare, language: "de" }, signal);
  if (heard.text !== "") console.log(`${name}, de, without voice activity: ${heard.text.slice(0, 80)}`);
  bareWords += heard.text.split(/\s+/).filter(Boolean).length;
  for (const language of languages) {
    const { text } = await transcribe(engines, { bytes, language }, { workspaceId: "w", keyId: "bench" }, signal);
    const words = text.split(/\s+/).filter(Boolean).length;
    invented += words;
    console.log(`${name}, ${language}: ${words} words${words > 0 ? ` (${text.slice(0, 80)})` : ""}`);
  }
}
console.log(`invented: ${invented} words in ${Object.keys(sounds).length} minutes, ${languages.length} times`);
console.log(`invented by Whisper without voice activity: ${bareWords} words`);
await engines.close();
