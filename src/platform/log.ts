import { pino } from "pino";
import { withoutParameters } from "./database-error.ts";

/** The part of a logger that code may rely on. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface LogSettings {
  level: string;
  /** False replaces what people said or wrote by a character count. */
  keepsTranscripts: boolean;
}

export interface PlatformLog extends Log {
  /** How a spoken or written text may appear in a log line. */
  words(text: string): string;
  /** Whether lines of this level are written at all. */
  isTold(level: "debug" | "info"): boolean;
}

/** Structured lines on standard output. Keys and tokens never reach it: whoever logs an address passes it through `withoutSecrets`. */
export function createLog(settings: LogSettings): PlatformLog {
  const lines = pino({ level: settings.level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  return {
    debug: (fields, message) => lines.debug(fields, message),
    info: (fields, message) => lines.info(fields, message),
    warn: (fields, message) => lines.warn(harmless(fields), message),
    error: (fields, message) => lines.error(harmless(fields), message),
    words: (text) => (settings.keepsTranscripts ? text : `[${Array.from(text).length} characters]`),
    isTold: (level) => lines.isLevelEnabled(level),
  };
}

/** Whoever logs a failure may hand in its message and stack as they are: what a failed query was about does not get out. */
function harmless(fields: object): object {
  const { error, stack } = fields as { error?: unknown; stack?: unknown };
  if (typeof error !== "string" && typeof stack !== "string") return fields;
  return {
    ...fields,
    ...(typeof error === "string" ? { error: withoutParameters(error) } : {}),
    ...(typeof stack === "string" ? { stack: withoutParameters(stack) } : {}),
  };
}

export const silentLog: PlatformLog = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  words: (text) => text,
  isTold: () => false,
};

/** An address without what must stay secret in it: tokens and keys travel in query strings of sockets. */
export function withoutSecrets(url: string): string {
  return url.replace(/([?&](?:token|key|api_key|access_token|signature)=)[^&#]*/gi, "$1***");
}
