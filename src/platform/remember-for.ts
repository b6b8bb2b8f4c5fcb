/** What `look` finds, looked for again when that was longer ago than this. */
export function rememberFor<Value>(ms: number, look: () => Value): () => Value {
  let seen: { value: Value; atMs: number } | undefined;
  return () => {
    const ageMs = seen ? Math.abs(Date.now() - seen.atMs) : Number.POSITIVE_INFINITY;
    if (!seen || ageMs > ms) seen = { value: look(), atMs: Date.now() };
    return seen.value;
  };
}
