import type { WebSocket } from "ws";
import { Problem } from "../../platform/errors.ts";
import { closeCodes } from "./close-codes.ts";

/** A stream that can be asked to come to an end. */
export interface LiveStream {
  readonly socket: WebSocket;
  /** Reports what is open. */
  finish(): Promise<void>;
}

export interface LiveSockets {
  readonly isClosing: boolean;
  add(stream: LiveStream): void;
  /** Throws when this node has no room for another stream. */
  checkCapacity(): void;
  /** Lets every stream say its last words, then closes it with 1012. */
  close(deadlineMs: number): Promise<void>;
}

/** The open streams of this node. */
export function createLiveSockets({ most }: { most: number }): LiveSockets {
  const streams = new Set<LiveStream>();
  let isClosing = false;
  return {
    get isClosing() {
      return isClosing;
    },
    add(stream) {
      streams.add(stream);
      stream.socket.once("close", () => streams.delete(stream));
    },
    checkCapacity() {
      if (streams.size < most) return;
      throw new Problem("engine_busy", `This server has ${streams.size} open streams, its limit. Try again in 10 s.`, {
        retryAfterSeconds: 10,
      });
    },
    async close(deadlineMs) {
      isClosing = true;
      await Promise.all(
        [...streams].map(async (stream) => {
          await Promise.race([stream.finish().catch(() => {}), wait(deadlineMs)]);
          stream.socket.close(closeCodes.restarting, "server is restarting");
        }),
      );
    },
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
