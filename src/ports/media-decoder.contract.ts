import { describe, expect, it } from "vitest";
import type { MediaDecoder } from "./media-decoder.ts";

export interface DecoderFixtures {
  /** Names of files that hold 1.5 s of sound. */
  readonly readable: readonly string[];
  read(name: string): Uint8Array;
}

/** What every decoder of uploads promises. */
export function mediaDecoderContract(name: string, open: () => MediaDecoder, fixtures: DecoderFixtures): void {
  const signal = new AbortController().signal;
  async function decode(bytes: Uint8Array): Promise<Int16Array> {
    const samples: number[] = [];
    for await (const chunk of open().decode({ bytes, key: "key", flow: "flow" }, signal)) samples.push(...chunk);
    return Int16Array.from(samples);
  }

  describe(`${name} as a media decoder`, () => {
    it.each(fixtures.readable)("reads %s, all of it and as loud as it is", async (file) => {
      const samples = await decode(fixtures.read(file));
      expect(samples.length).toBeGreaterThan(1.4 * 16_000);
      expect(samples.length).toBeLessThan(1.7 * 16_000);
      const middle = samples.subarray(8000, 16_000);
      const level = Math.sqrt(middle.reduce((sum, value) => sum + value * value, 0) / middle.length) / 32768;
      expect(level).toBeGreaterThan(0.12);
      expect(level).toBeLessThan(0.3);
    });

    it.each([
      ["nothing", new Uint8Array(0)],
      ["words", Buffer.from("RIFF is what this says, WAVE is what it is not")],
      ["zeros", new Uint8Array(100_000)],
    ])("does not read %s", async (_what, bytes) => {
      await expect(decode(bytes)).rejects.toMatchObject({ kind: "unprocessable_audio" });
    });

    it("stops when it is told to", async () => {
      const abort = new AbortController();
      const chunks = open().decode(
        { bytes: fixtures.read(fixtures.readable[0]!), key: "key", flow: "flow" },
        abort.signal,
      );
      abort.abort(new Error("enough"));
      await expect(chunks[Symbol.asyncIterator]().next()).rejects.toThrow("enough");
    });
  });
}
