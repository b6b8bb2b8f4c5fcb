import { describe } from "vitest";
import { lacksModels, modelStore, openLocalSpeech, speechModels } from "../../../../tests/support/local-speech.ts";
import { clips, readPcm } from "../../../../tests/support/speech-clips.ts";
import { fromPcm16 } from "../../../audio/pcm.ts";
import { silentLog } from "../../../platform/log.ts";
import { voiceClonerContract } from "../../../ports/voice-cloner.contract.ts";
import { XVECTOR_MODEL } from "../xvector/files.ts";
import { createXvector } from "../xvector/xvector.ts";
import { createLocalCloner } from "./local-cloner.ts";
import { VOICE_MAP_MODEL } from "./voice-map.ts";

describe.skipIf(lacksModels(XVECTOR_MODEL, VOICE_MAP_MODEL, ...speechModels))("the local cloner", () => {
  voiceClonerContract("local", async () => {
    const speech = openLocalSpeech();
    const printer = createXvector({ models: modelStore, log: silentLog });
    return {
      cloner: createLocalCloner({ models: modelStore, speech: speech.engine, printer }),
      clip: fromPcm16(readPcm(clips.englishLong)),
      close: async () => {
        await Promise.all([speech.close(), printer.host.close()]);
      },
    };
  });
});
