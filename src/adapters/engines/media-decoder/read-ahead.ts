/** Some 17 minutes of sound: most files leave their decoder at once, however slowly they are heard. */
const mostSamples = 16 * 1024 * 1024;

export interface ReadAheadOptions {
  /** How long the source may take for a chunk once it has begun, which it tells by its first, empty one. */
  readonly stallMs: number;
  /** Must make the source fail. */
  onStall(): void;
}

/** Takes chunks from the source as fast as it gives them, up to a limit, and hands them on as they are wanted. */
export async function* readAhead(
  source: AsyncIterable<Int16Array>,
  options: ReadAheadOptions,
): AsyncGenerator<Int16Array> {
  const chunks: Int16Array[] = [];
  let samples = 0;
  let isLeft = false;
  let ended: { error?: unknown } | undefined;
  let wakeReader = () => {};
  let wakeSource = () => {};
  const reading = read();
  try {
    for (;;) {
      const chunk = chunks.shift();
      if (chunk) {
        samples -= chunk.length;
        wakeSource();
        yield chunk;
      } else if (ended) {
        if ("error" in ended) throw ended.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          wakeReader = resolve;
        });
      }
    }
  } finally {
    isLeft = true;
    wakeSource();
    await reading;
  }

  async function read(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      for await (const chunk of source) {
        clearTimeout(timer);
        if (chunk.length > 0) chunks.push(chunk);
        samples += chunk.length;
        wakeReader();
        while (samples > mostSamples && !isLeft) {
          await new Promise<void>((resolve) => {
            wakeSource = resolve;
          });
        }
        if (isLeft) break;
        timer = setTimeout(options.onStall, options.stallMs);
      }
      ended = {};
    } catch (error) {
      ended = { error };
    } finally {
      clearTimeout(timer);
      wakeReader();
    }
  }
}
