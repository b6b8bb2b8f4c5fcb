import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { Playground } from "../support/dashboard/playground.ts";
import { whyNoBrowser } from "../support/find-browser.ts";
import { clips, readPcm, silence, toWav, whyNoHearing } from "../support/speech-clips.ts";
import { documentsStories } from "./playground/documents.ts";
import { sessionStories } from "./playground/session.ts";
import { soundStories } from "./playground/sound.ts";
import { voicesStories } from "./playground/voices.ts";
import { wordsStories } from "./playground/words.ts";

// One server and one browser for all of them: its engines are loaded once.
describe.skipIf(whyNoBrowser() ?? whyNoHearing())("the playground", () => {
  const play = new Playground();
  beforeAll(() => play.open(toWav(Buffer.concat([silence(0.3), readPcm(clips.englishLong), silence(20)]))));
  beforeEach(() => {
    play.ada.complaints.length = 0;
  });
  afterAll(() => play.close());

  soundStories(play);
  wordsStories(play);
  documentsStories(play);
  voicesStories(play);
  sessionStories(play);
});
