export interface DecodeRequest {
  /** Any recording or video that people upload, judged by its content. */
  readonly bytes: Uint8Array;
  /** Whose turn this takes, and which request of theirs it belongs to. */
  readonly key: string;
  readonly flow: string;
}

/** Two hours: longer recordings are refused. */
export const LONGEST_AUDIO_SECONDS = 7200;

/** Reads the sound of untrusted files. */
export interface MediaDecoder {
  /**
   * Yields 16 kHz mono samples in order, some seconds at a time and with back-pressure. What cannot be read throws
   * `unprocessable_audio`, at once or where the readable part ends before any sound; a file that breaks off later gives the
   * part that exists. Ends in bounded time and memory whatever the bytes are, and one bad file never affects the next.
   */
  decode(request: DecodeRequest, signal: AbortSignal): AsyncIterable<Int16Array>;
}
