import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest. Without memories of a run before, Vitest begins with the largest files, and one of these begun last
 *  would run for minutes beside idle workers. */
const slow = [
  "journeys/playground",
  "journeys/dashboard-pages",
  "local-speech.engine",
  "journeys/transcription",
  "journeys/dubbing",
  "journeys/live-calls",
  "journeys/command-line",
  "journeys/clones",
  "llama.engine",
  "cluster/failures",
  "media-decoder.engine",
];

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = slow.findIndex((name) => moduleId.includes(name));
      return at < 0 ? slow.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
