import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest. Without memories of a run before, Vitest begins with the largest files, and one of these begun last
 *  would run for minutes beside idle workers. */
const slow = [
  "journeys/playground",
  "llama.engine",
  "journeys/dashboard-pages",
  "local-speech.engine",
  "journeys/dubbing",
  "journeys/live-calls.test",
  "journeys/transcription",
  "journeys/gateway-local",
  "journeys/command-line",
  "journeys/guides",
  "cluster/failures",
  "journeys/privacy",
  "journeys/extraction.test",
  "journeys/clones",
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
