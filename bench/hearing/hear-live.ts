import { setTimeout as sleep } from "node:timers/promises";
import type { HearingEvent } from "../../src/voice/streams/hearing-event.ts";
import { LiveHearing } from "../../src/voice/streams/live-hearing.ts";
import type { HearingParts } from "../../src/voice/transcription/transcribe.ts";

const frameSamples = 512;
const nothing = new Int16Array(0);

/** What a live stream makes of a recording, frame by frame, were the engines infinitely quick: the same every time, and faster than
 *  the speaker. Guesses are left out. */
export async function hearLive(engines: HearingParts, samples: Int16Array, language: string): Promise<HearingEvent[]> {
  const events: HearingEvent[] = [];
  const underWay = new Set<Promise<unknown>>();
  const waitFor = <T>(answer: Promise<T>): Promise<T> => {
    underWay.add(answer);
    answer.catch(() => {}).finally(() => underWay.delete(answer));
    return answer;
  };
  const live = new LiveHearing({
    activity: { detect: (request, signal) => waitFor(engines.activity.detect(request, signal)) },
    transcription: {
      languages: () => engines.transcription.languages(),
      takesLong: (spoken) => engines.transcription.takesLong?.(spoken) ?? false,
      hear: (request, signal) =>
        request.isInterim
          ? Promise.resolve({ text: "", language, confidence: 0 })
          : waitFor(engines.transcription.hear(request, signal)),
    },
    key: "bench",
    flow: "bench",
    language,
    onEvent: (event) => events.push(event),
  });
  for (let at = 0; at < samples.length; at += frameSamples) {
    await live.push(samples.subarray(at, at + frameSamples));
    while (underWay.size > 0) {
      await Promise.race([Promise.allSettled(underWay), sleep(1000, undefined, { ref: false })]);
      // A machine that is slow to answer is no speaker who has stopped sending.
      await live.push(nothing);
    }
  }
  await live.flush();
  live.stop();
  return events;
}
