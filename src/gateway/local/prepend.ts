/** What was read first, then the rest. */
export async function* prepend<Value>(first: IteratorResult<Value>, rest: AsyncIterator<Value>): AsyncGenerator<Value> {
  try {
    if (first.done) return;
    yield first.value;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    // Also when the caller hangs up: this is what stops the engine.
    await rest.return?.();
  }
}
