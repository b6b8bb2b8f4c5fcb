import { describe, expect, it } from "vitest";
import { answerVersion, readClientMessage, writeRtvi } from "./messages.ts";

const rtvi = (type: string, data?: unknown, id = "abc") => JSON.stringify({ label: "rtvi-ai", type, id, data });

describe("a message of the data channel", () => {
  it.each([
    ["ping: 1731848400000", { type: "nothing" }],
    ["", { type: "nothing" }],
    ["{", { type: "nothing" }],
    ["null", { type: "nothing" }],
    ['{"type":"client-ready"}', { type: "nothing" }],
    ['{"label":"rtvi-ai","type":5}', { type: "nothing" }],
    ['{"__proto__":{"label":"rtvi-ai"},"type":"disconnect-bot"}', { type: "nothing" }],
    [rtvi("dtmf", { buttons: ["1"] }), { type: "nothing" }],
    [rtvi("client-ready", { version: "2.1.0" }), { type: "client-ready", id: "abc", version: "2.1.0" }],
    [rtvi("client-ready"), { type: "client-ready", id: "abc", version: undefined }],
    [
      rtvi("client-message", { t: "speak", d: { text: "Hi" } }),
      { type: "client-message", id: "abc", name: "speak", data: { text: "Hi" } },
    ],
    [
      rtvi("client-message", { d: 1 }),
      { type: "refused", id: "abc", message: 'Invalid message: "t" must be a string' },
    ],
    [
      rtvi("send-text", { content: "Hi" }),
      { type: "send-text", id: "abc", content: "Hi", isAnswered: true, isSpoken: true },
    ],
    [
      rtvi("send-text", { content: "Hi", options: { run_immediately: false, audio_response: false } }),
      { type: "send-text", id: "abc", content: "Hi", isAnswered: false, isSpoken: false },
    ],
    [
      rtvi("send-text", { content: " " }),
      { type: "refused", id: "abc", message: 'Invalid message: "content" must be a text' },
    ],
    [rtvi("disconnect-bot", {}), { type: "disconnect-bot" }],
    [rtvi("append-to-context", {}), { type: "refused", id: "abc", message: "Unsupported type append-to-context" }],
    [
      '{"type":"signalling","message":{"type":"trackStatus","receiver_index":0,"enabled":false}}',
      { type: "track-status", isEnabled: false },
    ],
    ['{"type":"signalling","message":{"type":"trackStatus","receiver_index":1,"enabled":false}}', { type: "nothing" }],
    ['{"type":"signalling"}', { type: "nothing" }],
    [`{"label":"${"x".repeat(70_000)}"}`, { type: "refused", id: "", message: "Invalid message: it is too long" }],
  ])("%.60s is understood", (text, expected) => {
    expect(readClientMessage(text)).toEqual(expected);
  });

  it("is written with the protocol's label", () => {
    expect(JSON.parse(writeRtvi({ type: "bot-ready", id: "1" }))).toEqual({
      label: "rtvi-ai",
      type: "bot-ready",
      id: "1",
    });
  });

  it.each([
    ["1.0.0", "1.0.0"],
    ["2.0.0", "2.1.0"],
    ["3", "2.1.0"],
    [undefined, "2.1.0"],
  ])("from a client of version %s is answered as %s", (version, expected) => {
    expect(answerVersion(version)).toBe(expected);
  });
});
