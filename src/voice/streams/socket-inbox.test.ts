import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { SocketInbox } from "./socket-inbox.ts";

/** A socket of which only the talking is pretended. */
class PretendSocket extends EventEmitter {
  isPaused = false;
  closedWith: number | undefined;
  pause() {
    this.isPaused = true;
  }
  resume() {
    this.isPaused = false;
  }
  close(code: number) {
    this.closedWith ??= code;
  }
}

function open(idleMs = 60_000) {
  const socket = new PretendSocket();
  const inbox = new SocketInbox(socket as unknown as WebSocket, { idleMs });
  return { socket, inbox, say: (text: string) => socket.emit("message", Buffer.from(text), false) };
}

describe("what a client sends", () => {
  it("is handed on in order", async () => {
    const { socket, inbox, say } = open();
    say('{"type":"flush"}');
    socket.emit("message", Buffer.from([1, 2, 3]), true);
    expect(await inbox.next()).toEqual({ type: "json", value: { type: "flush" }, length: 16 });
    expect(await inbox.next()).toEqual({ type: "binary", bytes: Buffer.from([1, 2, 3]) });
    socket.emit("close");
    expect(await inbox.next()).toBeUndefined();
  });

  it.each(["nonsense", "[]", "null", '"text"', "{}", '{"type":5}'])(
    "closes the socket with 4400 when it is %s",
    async (text) => {
      const { socket, inbox, say } = open();
      say(text);
      expect(socket.closedWith).toBe(4400);
      expect(await inbox.next()).toBeUndefined();
    },
  );

  it("is held back when it comes faster than it is read, and let in again later", async () => {
    const { socket, inbox } = open();
    for (let i = 0; i < 20; i++) socket.emit("message", Buffer.alloc(60_000), true);
    expect(socket.isPaused).toBe(true);
    for (let i = 0; i < 20; i++) await inbox.next();
    expect(socket.isPaused).toBe(false);
  });

  it("counts what it weighs, text too, against what all inboxes may hold", async () => {
    const budget = { usedBytes: 0, mostBytes: 100_000 };
    const socket = new PretendSocket();
    const inbox = new SocketInbox(socket as unknown as WebSocket, { idleMs: 60_000, budget });
    socket.emit("message", Buffer.from(JSON.stringify({ type: "speak", text: "a".repeat(150_000) })), false);
    expect(budget.usedBytes).toBeGreaterThan(150_000);
    expect(socket.isPaused).toBe(true);
    await inbox.next();
    expect([budget.usedBytes, socket.isPaused]).toEqual([0, false]);
  });

  it("must come within the idle time, or the socket closes with 4408", async () => {
    const { socket, inbox } = open(40);
    expect(await inbox.next()).toBeUndefined();
    expect(socket.closedWith).toBe(4408);
  });
});
