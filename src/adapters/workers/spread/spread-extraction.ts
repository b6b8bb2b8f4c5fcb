import type { DocumentReader } from "../../../ports/document-reader.ts";
import type { EngineHost, JobOptions } from "../../../ports/engine-host.ts";
import { ANY } from "../protocol.ts";
import type { Spread } from "./spread.ts";

const neverAborts = new AbortController().signal;

export function spreadReader(spread: Spread, local: DocumentReader | undefined): DocumentReader {
  const lane = { engine: "reader", model: ANY, language: ANY } as const;
  return {
    read: (request, signal) =>
      spread.ask(
        { lane, operation: "reader.read", input: request, signal },
        local && (() => local.read(request, signal)),
      ),
  };
}

/** What `understanding` carries to a worker: everything but the signal. */
export interface HostedTask {
  readonly task: string;
  readonly input: unknown;
  readonly job: Omit<JobOptions, "signal">;
}

export function spreadUnderstanding(spread: Spread, local: EngineHost, isHere: boolean): EngineHost {
  const lane = { engine: "understanding", model: ANY, language: ANY } as const;
  const workOf = (task: string, input: unknown, { signal = neverAborts, ...job }: JobOptions) => ({
    lane,
    operation: "understanding.run",
    input: { task, input, job } satisfies HostedTask,
    signal,
  });
  return {
    ...local,
    run: <Result>(task: string, input: unknown, job: JobOptions) =>
      spread.stream<Result>(workOf(task, input, job), isHere ? () => local.run<Result>(task, input, job) : undefined),
    ask: <Result>(task: string, input: unknown, job: JobOptions) =>
      spread.ask<Result>(workOf(task, input, job), isHere ? () => local.ask<Result>(task, input, job) : undefined),
  };
}
