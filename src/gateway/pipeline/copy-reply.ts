/** Keeps a copy of what leaves, for replies that may be asked for again. */
export interface Recorder {
  start(status: number, headers: Record<string, string>): void;
  write(chunk: Buffer | string): void;
  /** The reply is complete and may be replayed. */
  complete(): void;
  /** There will be no complete reply: the same request may be tried again. */
  abandon(): void;
}

export interface Copied {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Collects a reply. `onComplete` hears of the whole of it, or of nothing when it is larger than may be kept. */
export function copyReply(
  largestBytes: number,
  onComplete: (copied: Copied | undefined) => void,
  onAbandoned: () => void = () => {},
): Recorder {
  const chunks: Buffer[] = [];
  let size = 0;
  let head = { status: 200, headers: {} as Record<string, string> };
  return {
    start(status, headers) {
      head = { status, headers };
    },
    write(chunk) {
      size += Buffer.byteLength(chunk);
      if (size <= largestBytes) chunks.push(Buffer.from(chunk as string));
    },
    complete() {
      if (size > largestBytes) return onComplete(undefined);
      // In memory of its own: a piece of the pool would keep all of that for as long.
      const body = Buffer.allocUnsafeSlow(size);
      let at = 0;
      for (const chunk of chunks) at += chunk.copy(body, at);
      onComplete({ ...head, body });
    },
    abandon: onAbandoned,
  };
}

/** Tells each of those that there are. */
export function recordAll(recorders: readonly (Recorder | undefined)[]): Recorder | undefined {
  const [first, ...others] = recorders.filter((one) => one !== undefined);
  if (!first || others.length === 0) return first;
  const all = [first, ...others];
  const each = (tell: (one: Recorder) => void) => {
    for (const one of all) tell(one);
  };
  return {
    start: (status, headers) => each((one) => one.start(status, headers)),
    write: (chunk) => each((one) => one.write(chunk)),
    complete: () => each((one) => one.complete()),
    abandon: () => each((one) => one.abandon()),
  };
}
