import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { Problem } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import type { TranscriptionEngine } from "../../ports/transcription-engine.ts";
import { FRAME_SAMPLES, type VoiceActivityDetector } from "../../ports/voice-activity.ts";
import { hearSocket } from "./hear-socket.ts";
import { createLiveSockets } from "./live-sockets.ts";
import { SocketInbox } from "./socket-inbox.ts";

/** Loud is speech. */
const activity: VoiceActivityDetector = {
  async detect({ samples }) {
    const probabilities = Float32Array.from({ length: Math.ceil(samples.length / FRAME_SAMPLES) }, (_, frame) =>
      samples.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES).some((value) => Math.abs(value) > 0.05)
        ? 0.9
        : 0.01,
    );
    return { probabilities, state: { memory: new Float32Array(0), context: new Float32Array(0), quietFrames: 0 } };
  },
};

class PretendSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  isPaused = false;
  closedWith: number | undefined;
  pause(): void {}
  resume(): void {}
  close(code: number): void {
    this.closedWith ??= code;
    this.readyState = 3;
    this.emit("close");
  }
}

/** Utterances as a client sends them, to an engine that answers each in turn. */
async function speak(...answers: ("text" | "failure")[]) {
  const socket = new PretendSocket();
  const messages: Record<string, unknown>[] = [];
  let asked = 0;
  const transcription: TranscriptionEngine = {
    languages: () => ["en-us"],
    async hear({ isInterim }) {
      if (isInterim) return { text: "", language: "und", confidence: 0 };
      if (answers[asked++] === "failure") throw new Problem("engine_unavailable", "The engine stopped. Try again.");
      return { text: "Hello.", language: "en-us", confidence: 1 };
    },
  };
  const ending = hearSocket(
    {
      socket: socket as unknown as WebSocket,
      inbox: new SocketInbox(socket as unknown as WebSocket, { idleMs: 60_000 }),
      pass: { sessionId: "rts_1", workspaceId: "wsp_1", keyId: "key_1", settings: { language: "en-us" } },
      query: {},
      send: (message) => messages.push(message as Record<string, unknown>),
    },
    {
      hearing: { activity, transcription },
      sockets: createLiveSockets({ most: 5 }),
      log: silentLog,
      canConfigure: false,
    },
  );
  const sound = Buffer.from(Int16Array.from({ length: 16_000 }, (_, i) => 9000 * Math.sin(i / 5)).buffer);
  const silence = Buffer.alloc(32_000);
  for (const _ of answers) for (const part of [sound, silence]) socket.emit("message", part, true);
  socket.emit("message", Buffer.from('{"type":"close"}'), false);
  const { isBroken } = await ending;
  return {
    isBroken,
    code: socket.closedWith,
    types: messages.map(({ type }) => type).filter((type) => type !== "speech_started"),
  };
}

describe("a speech-to-text socket", () => {
  it("says that an utterance was lost, and goes on", async () => {
    expect(await speak("text", "failure", "failure", "text")).toEqual({
      isBroken: false,
      code: 1000,
      types: ["ready", "final", "error", "error", "final"],
    });
  });

  it("closes with 1011 when the engine fails three times in a row, which is booked as the server's failure", async () => {
    const { code, types, isBroken } = await speak("failure", "failure", "failure", "text");
    expect({ code, isBroken }).toEqual({ code: 1011, isBroken: true });
    expect(types.slice(0, 4)).toEqual(["ready", "error", "error", "error"]);
  });
});
