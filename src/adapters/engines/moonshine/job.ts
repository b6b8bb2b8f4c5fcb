import type { MoonshineLanguage } from "./tuning.ts";

/** What the server's side and the recogniser's process say to each other. */
export interface MoonshineJob {
  readonly samples: Float32Array;
  readonly speechSeconds: number;
  readonly language: MoonshineLanguage | undefined;
  readonly isInterim: boolean;
  readonly isUrgent: boolean;
  /** Folders of the models that are here, in the order in which languages are tried. They may arrive while this runs. */
  readonly folders: readonly (readonly [MoonshineLanguage, string])[];
}

export interface MoonshineAnswer {
  readonly text: string;
  readonly language: MoonshineLanguage | "und";
  readonly logProbability: number;
}
