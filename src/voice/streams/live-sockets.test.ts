import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { createLiveSockets } from "./live-sockets.ts";

describe("the streams of a server", () => {
  it("belong to one workspace by half at most, so that others find a place", () => {
    const sockets = createLiveSockets({ most: 4 });
    const open = (workspaceId: string) => {
      sockets.checkCapacity(workspaceId);
      const socket = new EventEmitter() as WebSocket;
      sockets.add({ socket, pass: { keyId: "key", workspaceId }, async finish() {} });
      return socket;
    };
    const [first] = [open("greedy"), open("greedy")];
    expect(() => open("greedy")).toThrow("Your workspace has 2 open streams, the limit.");
    open("other");
    open("other");
    expect(() => open("third")).toThrow("This server has 4 open streams, the limit.");
    first.emit("close");
    expect(() => open("third")).not.toThrow();
  });
});
