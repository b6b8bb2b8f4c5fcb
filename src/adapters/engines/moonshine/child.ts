import { serveChild } from "../host/serve-child.ts";
import { guessInterim } from "./guess-interim.ts";
import { hearSegment } from "./hear-segment.ts";
import { identify } from "./identify.ts";
import type { MoonshineAnswer, MoonshineJob } from "./job.ts";
import { MoonshineModel } from "./model.ts";
import type { MoonshineLanguage } from "./tuning.ts";

type Models = Map<string, Promise<MoonshineModel>>;

serveChild({
  async load(): Promise<Models> {
    return new Map();
  },
  tasks: {
    async *hear(job: MoonshineJob, loaded: Models, signal) {
      yield await hear(job, loaded, signal);
    },
    /** Loads models before anybody waits for them. */
    async *warm({ folders, isUrgent }: { folders: readonly string[]; isUrgent: boolean }, loaded: Models) {
      for (const folder of folders) {
        const model = await getModel(folder, loaded);
        if (isUrgent) await model.prepareForUrgent();
      }
      yield true;
    },
  },
});

async function hear(job: MoonshineJob, loaded: Models, signal: AbortSignal): Promise<MoonshineAnswer> {
  const models = new Map<MoonshineLanguage, MoonshineModel>();
  for (const [language, folder] of job.folders) {
    if (!job.language || job.language === language) models.set(language, await getModel(folder, loaded));
  }
  if (job.isInterim) return guessInterim(models, job.samples, signal);
  const identified = job.language ? undefined : await identify(models, job, signal);
  const language = job.language ?? identified?.language;
  if (!language) return { text: "", language: "und", logProbability: identified?.logProbability ?? -9 };
  const heard = await hearSegment(models.get(language)!, language, job, signal, identified?.answer);
  // The language was judged by the beginning; where that was all there is, its own certainty stands.
  const logProbability = identified?.answer ? identified.logProbability : heard.logProbability;
  // Where nothing was said there is no language either, unless the caller named it.
  if (identified && heard.text === "") return { text: "", language: "und", logProbability };
  return { text: heard.text, language, logProbability };
}

function getModel(folder: string, loaded: Models): Promise<MoonshineModel> {
  const known = loaded.get(folder);
  if (known) return known;
  const loading = MoonshineModel.load(folder);
  loaded.set(folder, loading);
  // A failed load must not be remembered.
  loading.catch(() => loaded.delete(folder));
  return loading;
}
