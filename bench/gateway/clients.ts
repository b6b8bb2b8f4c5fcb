import { measureFirstByte, measureStreams, measureThroughput } from "./measure.ts";

const measures = { measureThroughput, measureFirstByte, measureStreams };
export type Measures = typeof measures;

/** Measures what it is asked for, one after another. Compiled and by itself, because what the clients cost is shared by all that is
 *  measured: on two cores, clients that take longer make every difference look smaller or larger than it is. */
process.on("message", ({ name, args }: { name: keyof Measures; args: unknown[] }) => {
  const measure = measures[name] as (...args: unknown[]) => Promise<unknown>;
  measure(...args).then(
    (result) => process.send!({ result }),
    (error: unknown) => process.send!({ error }),
  );
});
