import { fork } from "node:child_process";

export interface Callers {
  /** Has `callers.ts` do something, in its own process, and waits for what comes of it. */
  ask<Reply>(message: object): Promise<Reply>;
  end(): void;
}

/** Callers that take none of the measured process's time and memory. */
export function forkCallers(): Callers {
  const child = fork(new URL("./callers.ts", import.meta.url).pathname, [], { execArgv: ["--import", "tsx"] });
  child.setMaxListeners(0);
  return {
    ask<Reply>(message: object) {
      const id = Math.random();
      return new Promise<Reply>((resolve) => {
        const take = (reply: { id: number; value: Reply }) => {
          if (reply.id !== id) return;
          child.off("message", take);
          resolve(reply.value);
        };
        child.on("message", take);
        child.send({ id, ...message });
      });
    },
    end: () => child.kill(),
  };
}
