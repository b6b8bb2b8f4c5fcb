/** An answer of three or four sentences. */
export const tokens = 64;
export const system = "You are a helpful assistant who writes long stories.";
export const topics = ["a dog", "the sea", "a small village", "two brothers"];
export const ask = (topic: string) => `Write a long story about ${topic}.`;
export const longText = `${"The ship sailed along the coast until the evening, and nobody on board said a word. ".repeat(25)}Who sailed?`;

export interface Run {
  /** Tokens as the engine counted them. */
  readonly count: number;
  readonly text: string;
  /** When each piece arrived, in ms from the start. */
  readonly times: readonly number[];
  readonly totalMs: number;
  readonly longestPauseMs: number;
}

export async function readRun(
  generate: (push: (text: string) => void) => Promise<{ outputTokens?: number }>,
): Promise<Run> {
  const startedMs = performance.now();
  const times: number[] = [];
  let text = "";
  const { outputTokens } = await generate((piece) => {
    times.push(performance.now() - startedMs);
    text += piece;
  });
  const pauses = times.slice(1).map((time, index) => time - times[index]!);
  return {
    count: outputTokens ?? times.length,
    text,
    times,
    totalMs: performance.now() - startedMs,
    longestPauseMs: Math.max(0, ...pauses),
  };
}
