// Resident memory of Whisper's process over many clips of many lengths: what is kept for one must not pile up.
//   npm run bench -- hearing/memory [clips, default 200] [--size=base]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../../src/adapters/engines/whisper/choose-token.ts";
import { transcribe } from "../../src/voice/transcription/transcribe.ts";
import { codeOfClip } from "./score.ts";
import { childMegabytes, flagOf, readClips, startEngines } from "./setup.ts";

const count = Number(process.argv[2] ?? 200);
const languages = ["de", "nl", "fr", "pt", "it", "ru", "ar", "sv-SE", "tr"];
/** Half of the clips are shorter, and as every length is another, more of them show more than longer ones do. */
const mostSeconds = 8;
const every = 25;

const { folder, clips: all } = readClips();
const clips = all.filter(({ language, seconds }) => languages.includes(language) && seconds <= mostSeconds);
const random = createRandom(1);
const engines = startEngines({ SVC_HEARING_SIZE: flagOf("size") ?? "small" });
const signal = new AbortController().signal;
let seconds = 0;
let most = 0;

for (let heard = 1; heard <= count; heard++) {
  const clip = clips[Math.floor(random() * clips.length)]!;
  const bytes = readFileSync(join(folder, clip.path));
  await transcribe(
    engines,
    { bytes, language: codeOfClip(clip.language) },
    { workspaceId: "w", keyId: "bench" },
    signal,
  );
  seconds += clip.seconds;
  const megabytes = childMegabytes("whisper");
  most = Math.max(most, megabytes);
  if (heard === 1 || heard % every === 0) {
    console.log(`after ${heard} clips, ${seconds.toFixed(0)} s of audio: ${megabytes} MB, at most ${most} MB`);
  }
}
await engines.close();
process.exit(0);
