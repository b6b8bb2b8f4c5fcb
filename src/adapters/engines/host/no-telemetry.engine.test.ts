import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { filesUnder } from "../../../../tests/support/files-holding.ts";
import { lacksModels, modelStore, openLocalSpeech, speechModels } from "../../../../tests/support/local-speech.ts";
import { silentLog } from "../../../platform/log.ts";
import { BGE_MODEL, createBge } from "../bge/bge.ts";

/** What only the source tree's own loader leaves behind. */
const loaderCache = /^tsx-/;

describe.skipIf(lacksModels(BGE_MODEL, ...speechModels))("engines", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "parlance-quiet-"));
    for (const name of ["HOME", "XDG_CACHE_HOME", "TMPDIR"]) vi.stubEnv(name, folder);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  it("leave no file in the user's home, cache or temporary folder", async () => {
    const { signal } = new AbortController();
    const bge = createBge({ models: modelStore, log: silentLog, lanes: 1 });
    const speech = openLocalSpeech();
    try {
      await bge.embed({ texts: ["hello"], key: "k", flow: "f" }, signal);
      for (const language of ["en-us", "de"]) {
        const voice = speech.engine.languages().find(({ code }) => code === language)!.voices[0]!.id;
        for await (const _ of speech.engine.speak(
          { text: "42", language, voice, speed: 1, key: "k", flow: "f" },
          signal,
        ));
      }
    } finally {
      await Promise.all([bge.host.close(), speech.close()]);
    }
    const left = filesUnder(folder).map((path) => relative(folder, path));
    expect(left.filter((path) => !loaderCache.test(path))).toEqual([]);
  });
});
