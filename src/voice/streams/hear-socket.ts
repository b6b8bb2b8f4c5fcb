import { turnOf } from "../../accounts/turn-of.ts";
import { createStreamDecoder, type StreamFormat } from "../../audio/stream-codec.ts";
import { Problem } from "../../platform/errors.ts";
import type { PlatformLog } from "../../platform/log.ts";
import { HEARING_RATE_HZ } from "../../ports/voice-activity.ts";
import { getHearingLanguage } from "../transcription/find-language.ts";
import type { HearingParts } from "../transcription/transcribe.ts";
import { closeCodes } from "./close-codes.ts";
import type { HearingEvent } from "./hearing-event.ts";
import { LiveHearing } from "./live-hearing.ts";
import type { LiveSockets } from "./live-sockets.ts";
import type { OpenedStream } from "./open-stream.ts";
import { problemMessage } from "./stream-problem.ts";

export interface HearSocketOptions {
  readonly hearing: Pick<HearingParts, "activity" | "transcription">;
  readonly sockets: LiveSockets;
  readonly log: PlatformLog;
  /** Only stt/lang lets the language be changed after connecting. */
  readonly canConfigure: boolean;
}

export interface HeardStream {
  readonly audioMs: number;
  readonly language: string | undefined;
  /** The engine was gone, and the socket was closed for it. */
  readonly isBroken: boolean;
}

/** So many utterances in a row without an answer mean that the engine is gone for good. */
const mostFailures = 3;
/** Tokens that were minted by an older version say nothing about it. */
const plainFormat: StreamFormat = { encoding: "pcm_s16le", sampleRateHz: HEARING_RATE_HZ };

/** One streaming speech-to-text socket, from `ready` to its end. */
export async function hearSocket(stream: OpenedStream, options: HearSocketOptions): Promise<HeardStream> {
  const { socket, inbox, pass, send } = stream;
  const { hearing, log } = options;
  let failures = 0;
  let spoken: string | undefined;
  const pinned = startLanguage();
  if (pinned instanceof Problem) {
    send(problemMessage(pinned));
    socket.close(closeCodes.malformed, "unknown language");
    return { audioMs: 0, language: undefined, isBroken: false };
  }
  const format = (pass.settings.format as StreamFormat | undefined) ?? plainFormat;
  const decoder = await createStreamDecoder(format, HEARING_RATE_HZ);
  socket.once("close", () => decoder.free());
  const live = new LiveHearing({
    ...hearing,
    // Only calls take turns.
    turns: undefined,
    key: turnOf(pass),
    flow: pass.sessionId,
    language: pinned.language,
    onEvent: report,
  });
  socket.once("close", () => live.stop());
  options.sockets.add({ socket, pass, finish: () => live.flush() });
  send({ type: "ready" });

  for (let message = await inbox.next(); message && !inbox.isClosed; message = await inbox.next()) {
    if (message.type === "binary") {
      const samples = decode(message.bytes);
      if (!samples) break;
      await live.push(samples);
    } else if (message.value.type === "flush") {
      await live.flush();
      send({ type: "flushed", ...("id" in message.value ? { id: message.value.id } : {}) });
    } else if (message.value.type === "config") {
      if (!configure(message.value.language)) break;
    } else if (message.value.type === "keepalive") {
      send({ type: "keepalive" });
    } else if (message.value.type === "close") {
      await live.flush();
      socket.close(closeCodes.normal);
      break;
    }
  }
  return { audioMs: live.positionMs, language: spoken, isBroken: failures >= mostFailures };

  /** Undefined when a message was no packet of its codec, and the socket is closed. */
  function decode(message: Uint8Array): Int16Array | undefined {
    try {
      return decoder.decode(message);
    } catch {
      const expected = `each binary message must be one ${format.encoding} packet`;
      send(problemMessage(new Problem("invalid_request", `The sound could not be decoded: ${expected}.`)));
      socket.close(closeCodes.malformed, expected);
      return undefined;
    }
  }

  /** The language of the address, else the one the token was minted with. */
  function startLanguage(): { language: string | undefined } | Problem {
    const wanted = (options.canConfigure && stream.query.language) || pass.settings.language;
    try {
      return { language: getHearingLanguage(hearing.transcription, typeof wanted === "string" ? wanted : undefined) };
    } catch (error) {
      return error as Problem;
    }
  }

  /** False when the message was so wrong that the socket is closed. */
  function configure(language: unknown): boolean {
    if (typeof language !== "string") {
      socket.close(closeCodes.malformed, "config needs a language");
      return false;
    }
    try {
      if (!options.canConfigure)
        throw new Problem("invalid_request", "Only /v1/realtime/stt/lang takes a config message.");
      live.setLanguage(getHearingLanguage(hearing.transcription, language));
    } catch (error) {
      send(problemMessage(error));
    }
    return true;
  }

  function report(event: HearingEvent): void {
    if (event.type === "speech-started") {
      send({ type: "speech_started", utterance: event.utterance, start_ms: event.startMs });
    } else if (event.type === "interim") {
      send({ type: "interim", text: event.text, language: event.language, utterance: event.utterance });
    } else if (event.type === "final") {
      failures = 0;
      spoken = event.language;
      const { utterance, text, language, startMs, endMs, confidence } = event;
      const words = event.words.map((one) => ({ word: one.word, start_ms: one.startMs, end_ms: one.endMs }));
      log.info({ session: pass.sessionId, utterance, language, text: log.words(text) }, "heard");
      send({ type: "final", text, language, utterance, start_ms: startMs, end_ms: endMs, confidence, words });
    } else if (event.type === "failed") {
      failures += 1;
      log.warn({ session: pass.sessionId, error: String(event.error) }, "utterance lost");
      send(problemMessage(event.error, event.utterance === undefined ? {} : { utterance: event.utterance }));
      if (failures >= mostFailures) socket.close(closeCodes.engineFailed, "the speech engine does not answer");
    }
  }
}
