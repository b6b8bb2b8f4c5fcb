import { describe, expect, it } from "vitest";
import { pretendHearing } from "../../../tests/support/pretend-hearing.ts";
import { hearSource } from "./hear-source.ts";

const hear = (parts: ReturnType<typeof pretendHearing>) =>
  hearSource(
    parts,
    { bytes: new Uint8Array(0), language: "auto" },
    { workspaceId: "w", keyId: "k" },
    new AbortController().signal,
    () => {},
  );

describe("hearing what is to be dubbed", () => {
  it("fifteen minutes are taken, and a second more is refused", { timeout: 120_000 }, async () => {
    // Of silence, which is the quickest to listen to.
    await expect(hear(pretendHearing(15, false))).rejects.toThrow(/No speech/);
    await expect(hear(pretendHearing(15 + 1 / 60, false))).rejects.toMatchObject({ kind: "invalid_request" });
  });

  it("no speech and speech in no known language are told apart", async () => {
    await expect(hear(pretendHearing(0.2, false))).rejects.toThrow(/No speech/);
    await expect(hear(pretendHearing(0.2, true, "und", ""))).rejects.toThrow(/none of the languages/);
  });

  it("hears one stretch after the other, so that others find a free engine", async () => {
    const parts = pretendHearing(2, true);
    let atOnce = 0;
    let most = 0;
    const transcription = {
      ...parts.transcription,
      async hear() {
        atOnce += 1;
        most = Math.max(most, atOnce);
        await new Promise((resolve) => setTimeout(resolve, 1));
        atOnce -= 1;
        return parts.transcription.hear();
      },
    };
    expect((await hear({ ...parts, transcription })).lines.length).toBeGreaterThan(1);
    expect(most).toBe(1);
  });

  it("stops listening when it has heard more than can be dubbed", async () => {
    const { isTruncated, lines, durationMs, samples } = await hear(
      pretendHearing(5, true, "es", "Una frase larga. ".repeat(60)),
    );
    expect(isTruncated).toBe(true);
    expect(lines.map(({ text }) => text).join(" ").length).toBeLessThanOrEqual(3000);
    expect(durationMs).toBe(lines.at(-1)!.endMs);
    expect(samples.length).toBeLessThanOrEqual(durationMs * 16 + 16);
  });
});
