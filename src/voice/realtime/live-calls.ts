import type { TurnTaker } from "../../accounts/turn-of.ts";
import type { UsageWriter } from "../../accounts/usage/usage-writer.ts";
import type { KeyWatch } from "../../accounts/watch-keys.ts";
import { list, Problem } from "../../platform/errors.ts";
import { hashSecret, newId } from "../../platform/ids.ts";
import type { PlatformLog } from "../../platform/log.ts";
import { findPersona, speakAs, type UsePersona } from "../speech/speak-as.ts";
import { finishSpeech } from "../speech/synthesize.ts";
import type { Pass } from "../streams/store.ts";
import { Call, type CallParts } from "./call/call.ts";
import { type CallSettings, callSettings } from "./call/call-settings.ts";

export const AGENT_MODEL = "svc-agent-1";

export interface LiveCallsOptions extends CallParts {
  readonly usage: UsageWriter;
  /** Ends the calls of a key that is revoked. */
  readonly keys: KeyWatch;
  readonly usePersona?: UsePersona;
  readonly log: PlatformLog;
  /** Calls that this node takes. */
  readonly most: number;
  /** Takes fewer when those that run already suffer. */
  readonly watchesStrain: boolean;
  /** Whether engines are loaded before they are needed. */
  readonly warmsUp: boolean;
}

interface LiveCall {
  readonly call: Call;
  readonly workspaceId: string;
  readonly tokenHash: string;
  /** What the client calls its connection. */
  connectionId: string;
}

export interface Answered {
  readonly sdp: string;
  readonly connectionId: string;
}

/** A caller hears nobody behind this much delay: the node does not keep up. */
const behindMs = 1500;
/** Packets this late, again and again, are heard as gaps: browsers buffer 50 to 100 ms. */
const lateMs = 60;
const retryAfterSeconds = 10;
const warmWithinMs = 60_000;

export interface LiveCalls {
  readonly size: number;
  /** Throws when this node has no room for another call, the workspace has its share (half of the places), or the node is about to
   *  end. */
  checkCapacity(workspaceId: string): void;
  /** A call with this voice is about to come: what it needs is loaded while the client connects. */
  prepare(voice: { voice: string; language: string }, caller: TurnTaker): void;
  /** The call that this token opened; undefined when it opened another one than that of the session. */
  find(token: string, sessionId: string | undefined): LiveCall | undefined;
  open(pass: Pass, token: string, sdp: string): Promise<Answered>;
  /** The same call with another offer; `isRestart` gives up the old connection. */
  reopen(live: LiveCall, sdp: string, isRestart: boolean): Promise<Answered>;
  /** Tells every client, lets calls end by themselves until the deadline, then ends them. */
  close(deadlineMs: number): Promise<void>;
}

/** The calls of this node. */
export function createLiveCalls(options: LiveCallsOptions): LiveCalls {
  const calls = new Map<string, LiveCall>();
  let isClosing = false;

  return {
    get size() {
      return calls.size;
    },
    checkCapacity,
    prepare,
    find,
    open,
    reopen,
    close,
  };

  function checkCapacity(workspaceId: string): void {
    if (isClosing) throw new Problem("engine_unavailable", "The server is shutting down. Try again in a moment.");
    const reason = whyFull(workspaceId);
    if (!reason) return;
    throw new Problem("engine_busy", `This server takes no more calls now: ${reason}. Try again in 10 s.`, {
      retryAfterSeconds,
    });
  }

  /** What the calls that run already suffer says more than any number that was set before. */
  function whyFull(workspaceId: string): string | undefined {
    if (calls.size >= options.most) return `it has ${calls.size}, its limit`;
    const own = [...calls.values()].filter((live) => live.workspaceId === workspaceId).length;
    if (own >= Math.max(1, options.most / 2)) return `your workspace has ${own}, its share`;
    if (calls.size === 0 || !options.watchesStrain) return undefined;
    const late = options.media.load().lateMs;
    if (late > lateMs) return `voices leave ${late} ms late`;
    const behind = Math.max(...[...calls.values()].map(({ call }) => call.behindMs));
    return behind > behindMs ? `callers are heard ${behind} ms late` : undefined;
  }

  function prepare(voice: { voice: string; language: string }, caller: TurnTaker): void {
    options.media.warm();
    if (!options.warmsUp) return;
    options.hearing.transcription.warm?.(voice.language);
    // Whoever speaks next is told what is wrong.
    finishSpeech(options.speech, { ...voice, text: "Hello." }, caller, AbortSignal.timeout(warmWithinMs)).catch(
      () => {},
    );
  }

  function find(token: string, sessionId: string | undefined): LiveCall | undefined {
    const tokenHash = hashSecret(token);
    const live = [...calls.values()].find((one) => one.tokenHash === tokenHash);
    return sessionId === undefined || live?.call.sessionId === sessionId ? live : undefined;
  }

  async function open(pass: Pass, token: string, sdp: string): Promise<Answered> {
    checkCapacity(pass.workspaceId);
    const settings = callSettings.parse(pass.settings) as CallSettings;
    const { sessionId, keyId, workspaceId } = pass;
    const { voice, language, personaId, tonePreset: tone, styleText: style } = settings;
    const persona = await findPersona(options.usePersona, personaId, pass.workspaceId);
    const speaks = speakAs(options.speech, persona, { voice: persona ? undefined : voice, language, tone, style });
    const call = new Call(options, { sessionId, caller: { keyId, workspaceId }, settings, speaks });
    const live = { call, workspaceId, tokenHash: hashSecret(token), connectionId: newId("pc_") };
    calls.set(sessionId, live);
    void call.ended.then(options.keys.watch(keyId, () => call.end("the key was revoked")));
    const startedMs = performance.now();
    try {
      const answer = await call.connect(sdp);
      keepBooks(pass, settings, call, startedMs);
      options.log.info({ session: sessionId, mode: settings.mode, language: settings.language }, "call opened");
      return { sdp: answer, connectionId: live.connectionId };
    } catch (error) {
      calls.delete(sessionId);
      call.end("it could not be connected");
      throw error;
    }
  }

  function keepBooks(pass: Pass, settings: CallSettings, call: Call, startedMs: number): void {
    void call.ended.then(({ heardMs, ...tokens }) => {
      calls.delete(pass.sessionId);
      options.usage.write({
        at: Date.now(),
        workspaceId: pass.workspaceId,
        keyId: pass.keyId,
        service: "voice",
        route: "RTC /v1/realtime/session",
        status: 200,
        durationMs: Math.round(performance.now() - startedMs),
        model: AGENT_MODEL,
        voice: settings.voice,
        language: settings.language,
        audioMs: heardMs,
        ...tokens,
      });
    });
  }

  async function reopen(live: LiveCall, sdp: string, isRestart: boolean): Promise<Answered> {
    const { call } = live;
    const answer = isRestart ? await call.connect(sdp) : await call.renegotiate(sdp);
    if (isRestart) live.connectionId = newId("pc_");
    return { sdp: answer, connectionId: live.connectionId };
  }

  async function close(deadlineMs: number): Promise<void> {
    isClosing = true;
    const open = [...calls.values()].map(({ call }) => call);
    for (const call of open) call.announce({ type: "server-closing", within_ms: deadlineMs });
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise((resolve) => {
      timer = setTimeout(resolve, deadlineMs);
    });
    await Promise.race([deadline, Promise.all(open.map(({ ended }) => ended))]);
    clearTimeout(timer);
    for (const call of open) call.end("the server is shutting down");
    if (open.length > 0) {
      options.log.info({ calls: list(open.map(({ sessionId }) => sessionId)) }, "calls ended by the shutdown");
      // The goodbyes have to leave before the media process does.
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
}
