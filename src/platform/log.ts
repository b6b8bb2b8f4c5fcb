import { pino } from "pino";
import { withoutParameters } from "./database-error.ts";
import { createTerminalLines } from "./terminal-lines.ts";

/** The part of a logger that code may rely on. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface LogSettings {
  level: string;
  /** Lines for people or for machines. Default: for people at a terminal. */
  format?: "auto" | "pretty" | "json";
  /** False replaces what people said or wrote by a character count. */
  keepsTranscripts: boolean;
}

export interface PlatformLog extends Log {
  /** How a spoken or written text may appear in a log line. */
  words(text: string): string;
  /** Whether lines of this level are written at all. */
  isTold(level: "debug" | "info"): boolean;
  /** What is under way, shown at a terminal only; undefined when it is over. */
  status?(text: string | undefined): void;
}

/** Lines on standard output: JSON, or plain text where a person watches. Keys and tokens never reach it: whoever logs an address passes it through `withoutSecrets`. */
export function createLog(settings: LogSettings): PlatformLog {
  const { format = "json" } = settings;
  const isPretty = format === "pretty" || (format === "auto" && process.stdout.isTTY === true);
  const terminal = isPretty ? createTerminalLines(process.stdout) : undefined;
  const options = { level: settings.level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const lines = terminal ? pino(options, terminal) : pino(options);
  return {
    debug: (fields, message) => lines.debug(fields, message),
    info: (fields, message) => lines.info(fields, message),
    warn: (fields, message) => lines.warn(harmless(fields), message),
    error: (fields, message) => lines.error(harmless(fields), message),
    words: (text) => (settings.keepsTranscripts ? text : `[${Array.from(text).length} characters]`),
    isTold: (level) => lines.isLevelEnabled(level),
    ...(terminal && process.stdout.isTTY ? { status: terminal.showStatus } : {}),
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
