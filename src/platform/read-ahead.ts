/** Takes events as they come, so that a reader who pauses holds up nobody. An answer is a few kilobytes. */
export async function* readAhead<Item>(events: AsyncIterable<Item>): AsyncGenerator<Item> {
  const arrived: Item[] = [];
  let isOver = false;
  let failure: { error: unknown } | undefined;
  let wake = () => {};
  const iterator = events[Symbol.asyncIterator]();
  void (async () => {
    try {
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        arrived.push(next.value);
        wake();
      }
    } catch (error) {
      failure = { error };
    }
    isOver = true;
    wake();
  })();
  try {
    for (;;) {
      const event = arrived.shift();
      if (event !== undefined) yield event;
      else if (failure) throw failure.error;
      else if (isOver) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    // Leaving early cancels the job, and its place counts as free only when it is.
    if (!isOver) await iterator.return?.(undefined);
  }
}
