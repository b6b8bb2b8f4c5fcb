import { type ChildProcess, fork } from "node:child_process";
import { EventEmitter } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { silentLog } from "../../platform/log.ts";
import { createMediaServer } from "./media-server.ts";

it("a media process that cannot be started costs the calls that wait for it, and the next one starts another", async () => {
  let tries = 0;
  const start = ((...given: Parameters<typeof fork>) => {
    tries += 1;
    if (tries > 2) return fork(...given);
    if (tries === 2) throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
    // As Node tells of a fork that fails: no id, an error, and no end.
    const child = Object.assign(new EventEmitter(), {
      pid: undefined,
      stderr: null,
      connected: false,
      kill: () => true,
    });
    setImmediate(() => child.emit("error", Object.assign(new Error("fork EAGAIN"), { code: "EAGAIN" })));
    return child as unknown as ChildProcess;
  }) as typeof fork;
  const media = createMediaServer({
    port: 0,
    announcedAddress: undefined,
    bindAddress: undefined,
    log: silentLog,
    start,
  });
  onTestFinished(() => media.close());
  const events = { onAudio() {}, onMessage() {}, onState() {}, onPlayed() {} };
  const open = () => media.open({ sdp: "v=0", iceServers: [], ...events });
  await expect(open()).rejects.toThrow("could not be started");
  await expect(open()).rejects.toThrow("could not be started");
  // A process is there, and finds fault with the offer.
  await expect(open()).rejects.toThrow("The offer could not be answered");
  expect(tries).toBe(3);
}, 60_000);
