import { durationMs } from "../../audio/pcm.ts";
import { createStreamEncoder, type StreamEncoder, type StreamFormat } from "../../audio/stream-codec.ts";
import { fitCharacters } from "../../platform/characters.ts";
import { Problem } from "../../platform/errors.ts";
import type { PlatformLog } from "../../platform/log.ts";
import type { SpeechEngine } from "../../ports/speech-engine.ts";
import { findPersona, speakAs, type UsePersona } from "../speech/speak-as.ts";
import { type SpeechWanted, startSpeech } from "../speech/synthesize.ts";
import { closeCodes } from "./close-codes.ts";
import type { LiveSockets } from "./live-sockets.ts";
import type { OpenedStream } from "./open-stream.ts";
import { type Speak, SpeakQueue } from "./speak-queue.ts";
import type { Pass } from "./store.ts";
import { problemMessage } from "./stream-problem.ts";

export interface SpeakSocketOptions {
  readonly speech: SpeechEngine;
  readonly sockets: LiveSockets;
  readonly log: PlatformLog;
  readonly usePersona?: UsePersona;
  onBusy(isBusy: boolean): void;
}

export interface SpokenStream {
  readonly audioMs: number;
  /** The engine was gone, and the socket was closed for it. */
  readonly isBroken: boolean;
}

/** Bytes that may wait for a slow reader before synthesis waits too: some five seconds of sound. */
const mostBuffered = 256 * 1024;
const frameSamples = 4800;
const longestText = 3000;
const mostFailures = 3;

/** One streaming text-to-speech socket, from `ready` to its end. */
export async function speakSocket(stream: OpenedStream, options: SpeakSocketOptions): Promise<SpokenStream> {
  const { socket, inbox, pass, send } = stream;
  const { speech, log, onBusy } = options;
  const how = await readHow(options, pass);
  const encoders = new Map<number, StreamEncoder>();
  let audioMs = 0;
  let failures = 0;
  const queue = new SpeakQueue(async (speak, signal) => {
    onBusy(true);
    await speakOne(speak, signal).finally(() => onBusy(false));
  });
  socket.once("close", () => queue.cancel(undefined));
  options.sockets.add({ socket, pass, finish: () => queue.settled() });
  send({ type: "ready" });

  let counter = 0;
  for (let message = await inbox.next(); message && !inbox.isClosed; message = await inbox.next()) {
    if (message.type === "binary") {
      socket.close(closeCodes.malformed, "this socket takes text, not audio");
      break;
    }
    const { type, text, id } = message.value;
    const isIdGood = id === undefined || typeof id === "string" || typeof id === "number";
    if (!isIdGood || (type === "speak" && typeof text !== "string")) {
      socket.close(closeCodes.malformed, "speak needs a text, and an id is a string or a number");
      break;
    }
    if (type === "speak") take({ id: id ?? `s${++counter}`, text: text as string });
    else if (type === "cancel") cancel(id);
    else if (type === "keepalive") send({ type: "keepalive" });
    else if (type === "close") {
      await queue.settled();
      socket.close(closeCodes.normal);
      break;
    }
  }
  // The text that was being spoken when the client left may still want to encode.
  void queue.settled().finally(() => {
    for (const encoder of encoders.values()) encoder.free();
  });
  return { audioMs, isBroken: failures >= mostFailures };

  function take(speak: Speak): void {
    try {
      if (speak.text.trim() === "") throw new Problem("invalid_request", '"text" must not be empty.');
      if (!fitCharacters([speak.text], longestText)) {
        throw new Problem("invalid_request", `"text" must have at most ${longestText} characters.`);
      }
      queue.add(speak);
    } catch (error) {
      send(problemMessage(error, { id: speak.id }));
    }
  }

  /** Each text gets its `done`; that of the one being spoken comes when it has stopped. */
  function cancel(wanted: string | number | undefined): void {
    for (const { id } of queue.cancel(wanted)) send({ type: "done", id, duration_ms: 0, cancelled: true });
  }

  async function speakOne({ id, text }: Speak, signal: AbortSignal): Promise<void> {
    const earlierMs = audioMs;
    let sampleCount = 0;
    let rate = 24_000;
    let isCancelled = false;
    try {
      log.info({ session: pass.sessionId, text: log.words(text) }, "speaking");
      const started = startSpeech(speech, { ...how, text }, pass, signal);
      rate = started.sampleRateHz;
      const encoder = await encoderFor(rate);
      send({ type: "started", id });
      for await (const samples of started.samples) {
        for (let start = 0; start < samples.length && !signal.aborted; start += frameSamples) {
          const frame = samples.subarray(start, start + frameSamples);
          sampleCount += frame.length;
          // At once: whoever leaves before the end has still been sent this much.
          audioMs = earlierMs + durationMs(sampleCount, rate);
          for (const message of encoder.encode(frame)) await sendFrame(message, signal);
        }
        if (signal.aborted) break;
      }
      // What is left of a cancelled text must not be heard before the next.
      for (const message of encoder.finish()) if (!signal.aborted) await sendFrame(message, signal);
      failures = 0;
    } catch (error) {
      encoders.get(rate)?.finish();
      if (!signal.aborted) {
        log.warn({ session: pass.sessionId, error: String(error) }, "speech lost");
        send(problemMessage(error, { id }));
        const isOurs = error instanceof Problem && error.kind === "invalid_request" ? 0 : 1;
        failures += isOurs;
        if (failures >= mostFailures) socket.close(closeCodes.engineFailed, "the speech engine does not answer");
        return;
      }
    }
    isCancelled = signal.aborted;
    const spokenMs = durationMs(sampleCount, rate);
    send({ type: "done", id, duration_ms: spokenMs, ...(isCancelled ? { cancelled: true } : {}) });
  }

  /** All voices of a stream have one rate, unless a cloned one comes from another server. */
  async function encoderFor(fromHz: number): Promise<StreamEncoder> {
    const plain: StreamFormat = { encoding: "pcm_s16le", sampleRateHz: fromHz };
    const format = (pass.settings.format as StreamFormat | undefined) ?? plain;
    const encoder = encoders.get(fromHz) ?? (await createStreamEncoder(fromHz, format));
    encoders.set(fromHz, encoder);
    return encoder;
  }

  /** Waits while the reader is slow, so that what it has not taken is not even synthesized. */
  async function sendFrame(frame: Uint8Array, signal: AbortSignal): Promise<void> {
    if (socket.readyState === socket.OPEN) socket.send(frame);
    while (socket.bufferedAmount > mostBuffered && socket.readyState === socket.OPEN && !signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** What was asked for when the token was minted. A persona is looked up now: what it holds is not for the table of tokens. */
async function readHow({ speech, usePersona }: SpeakSocketOptions, pass: Pass): Promise<Omit<SpeechWanted, "text">> {
  const { language, voice, speed, personaId, namedVoice } = pass.settings as Record<string, never>;
  const persona = await findPersona(usePersona, personaId, pass.workspaceId);
  if (!persona) return { language, voice, speed };
  return { speed, ...speakAs(speech, persona, { language, voice: namedVoice }) };
}
