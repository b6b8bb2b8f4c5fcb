import type { WebSocket } from "ws";
import type { KeyWatch } from "../../accounts/watch-keys.ts";
import { Problem } from "../../platform/errors.ts";
import { closeCodes } from "./close-codes.ts";
import type { InboxBudget } from "./socket-inbox.ts";
import type { Pass } from "./store.ts";

/** What clients have sent and nobody has read yet, of all streams together: half an hour of sound. */
const mostInboxBytes = 64 * 1024 * 1024;

/** A stream that can be asked to come to an end. */
export interface LiveStream {
  readonly socket: WebSocket;
  /** Who opened it. */
  readonly pass: Pick<Pass, "keyId" | "workspaceId">;
  /** Reports what is open. */
  finish(): Promise<void>;
}

export interface LiveSockets {
  readonly isClosing: boolean;
  add(stream: LiveStream): void;
  /** Throws when this node has no room for another stream, or the workspace has its share: half of the places. */
  checkCapacity(workspaceId: string): void;
  readonly inboxes: InboxBudget;
  /** Lets every stream say its last words, then closes it with 1012. */
  close(deadlineMs: number): Promise<void>;
}

/** The open streams of this node. A revoked key ends those that it opened. */
export function createLiveSockets({ most, keys }: { most: number; keys?: KeyWatch }): LiveSockets {
  const streams = new Set<LiveStream>();
  let isClosing = false;
  return {
    get isClosing() {
      return isClosing;
    },
    add(stream) {
      streams.add(stream);
      const { socket, pass } = stream;
      const unwatch = keys?.watch(pass.keyId, () => socket.close(closeCodes.badToken, "the key was revoked"));
      socket.once("close", () => {
        streams.delete(stream);
        unwatch?.();
      });
    },
    checkCapacity(workspaceId) {
      const own = [...streams].filter(({ pass }) => pass.workspaceId === workspaceId).length;
      if (streams.size < most && own < most / 2) return;
      const whose = streams.size < most ? `Your workspace has ${own}` : `This server has ${streams.size}`;
      throw new Problem("engine_busy", `${whose} open streams, the limit. Try again in 10 s.`, {
        retryAfterSeconds: 10,
      });
    },
    inboxes: { usedBytes: 0, mostBytes: mostInboxBytes },
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
