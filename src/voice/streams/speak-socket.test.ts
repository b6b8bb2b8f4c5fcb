import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { type PlatformLog, silentLog } from "../../platform/log.ts";
import type { SpeechEngine } from "../../ports/speech-engine.ts";
import type { OpenedStream } from "./open-stream.ts";
import { speakSocket } from "./speak-socket.ts";

let pieces = 0;
/** Says the first piece of a text, and nothing more until nobody wants it. */
const speech = {
  languages: () => [
    { code: "en-us", label: "English", engine: "engine_a", voices: [{ id: "en_nora", label: "Nora" }] },
  ],
  sampleRateHz: () => 24_000,
  async *speak(_wanted: unknown, signal: AbortSignal) {
    yield { samples: new Float32Array(24_000).fill(0.1), isLast: false };
    if (++pieces === 1) return;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  },
} as unknown as SpeechEngine;

const story = "Once there was a sea that nobody had ever crossed. ".repeat(40);

it("a client that leaves before the end of a text is booked with the sound it was sent", async () => {
  let bytes = 0;
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    close() {},
    send(data: Uint8Array) {
      bytes += data.length;
    },
  });
  let leave = () => {};
  const left = new Promise<undefined>((resolve) => {
    leave = () => {
      socket.readyState = 3;
      socket.emit("close");
      resolve(undefined);
    };
  });
  const messages = [{ type: "json", value: { type: "speak", text: story } }];
  const stream = {
    socket,
    inbox: { isClosed: false, next: async () => messages.shift() ?? left },
    pass: {
      sessionId: "rts_1",
      keyId: "key_1",
      workspaceId: "ws_1",
      settings: { language: "en-us", voice: "en_nora" },
    },
    send() {},
  } as unknown as OpenedStream;
  const log = { ...silentLog, words: () => undefined } as unknown as PlatformLog;
  const ended = speakSocket(stream, { speech, sockets: { add() {} } as never, log, onBusy() {} });
  await expect.poll(() => bytes).toBeGreaterThan(0);
  leave();
  const { audioMs } = await ended;
  expect(audioMs).toBeGreaterThan(0);
  expect(audioMs).toBe(Math.round(bytes / 48));
});
