import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { LONGEST_AUDIO_SECONDS } from "../../../ports/media-decoder.ts";
import { decodeTrack } from "./decode-track.ts";
import { mendTruncated } from "./mend.ts";
import { openTrack } from "./open-track.ts";

const read = (name: string) => readFileSync(fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url)));

async function countFrames(bytes: Uint8Array): Promise<number> {
  let frames = 0;
  for await (const { channels } of decodeTrack(await openTrack(bytes, LONGEST_AUDIO_SECONDS), bytes))
    frames += channels[0]?.length ?? 0;
  return frames;
}

describe("a file that breaks off", () => {
  it.each(["opus.webm", "opus-in.mkv", "video.webm"])("gives the first half of %s", async (name) => {
    const whole = await countFrames(read(name));
    const bytes = read(name);
    const part = await countFrames(mendTruncated(bytes.subarray(0, Math.floor(bytes.length * 0.6))));
    expect(part).toBeGreaterThan(whole * 0.4);
    expect(part).toBeLessThan(whole * 0.8);
  });

  it("is left alone when it does not break off", () => {
    for (const name of ["opus.webm", "opus.ogg", "sound.mp3"]) {
      expect(Buffer.compare(mendTruncated(read(name)), read(name))).toBe(0);
    }
  });

  it("is cut at any byte without harm", () => {
    for (const name of ["opus.webm", "opus.ogg"]) {
      const bytes = read(name);
      for (let length = 0; length < bytes.length; length += 37) mendTruncated(bytes.subarray(0, length));
    }
  });
});
