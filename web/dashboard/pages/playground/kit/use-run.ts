import { useEffect, useRef, useState } from "react";

export interface Run {
  isBusy: boolean;
  error: Error | undefined;
  /** How long the last one took. */
  ms: number | undefined;
  start(work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  stop(): void;
}

/** One request at a time: a new one, and leaving the page, end the one before. */
export function useRun(): Run {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const [ms, setMs] = useState<number>();
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  return {
    isBusy,
    error,
    ms,
    stop: () => current.current?.abort(),
    async start(work) {
      current.current?.abort();
      const controller = new AbortController();
      current.current = controller;
      const startedAt = performance.now();
      setBusy(true);
      setError(undefined);
      setMs(undefined);
      try {
        await work(controller.signal);
        if (!controller.signal.aborted) setMs(performance.now() - startedAt);
      } catch (failure) {
        if (!controller.signal.aborted) setError(failure as Error);
      } finally {
        if (current.current === controller) setBusy(false);
      }
    },
  };
}
