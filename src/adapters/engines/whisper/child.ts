import { serveChild } from "../host/serve-child.ts";
import { hearSpeech } from "./hear-speech.ts";
import type { WhisperJob } from "./job.ts";
import { WhisperModel } from "./model.ts";

type Loaded = { folder?: string; model?: Promise<WhisperModel> };

serveChild({
  async load(): Promise<Loaded> {
    return {};
  },
  tasks: {
    async *hear(job: WhisperJob, loaded: Loaded, signal) {
      yield await hearSpeech(await getModel(job, loaded), job, signal);
    },
    /** Loads the model before anybody waits for it. */
    async *warm(wanted: Pick<WhisperJob, "folder" | "threads">, loaded: Loaded) {
      await getModel(wanted, loaded);
      yield true;
    },
  },
});

function getModel({ folder, threads }: Pick<WhisperJob, "folder" | "threads">, loaded: Loaded): Promise<WhisperModel> {
  if (loaded.model && loaded.folder === folder) return loaded.model;
  const loading = WhisperModel.load(folder, threads);
  loaded.folder = folder;
  loaded.model = loading;
  // A failed load must not be remembered.
  loading.catch(() => {
    if (loaded.model === loading) delete loaded.model;
  });
  return loading;
}
