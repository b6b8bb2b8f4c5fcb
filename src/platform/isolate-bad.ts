/** Finds the records that make a batch fail, by halves: a single one among thousands takes a dozen tries.
 *  `attempt` must leave no trace; what it throws when it is not the records' fault must not be taken for it by `isTheirFault`. */
export async function isolateBad<Item>(
  items: readonly Item[],
  attempt: (items: readonly Item[]) => Promise<void>,
  isTheirFault: (error: unknown) => boolean,
): Promise<{ good: Item[]; bad: { item: Item; error: unknown }[] }> {
  if (items.length === 0) return { good: [], bad: [] };
  try {
    await attempt(items);
    return { good: [...items], bad: [] };
  } catch (error) {
    if (!isTheirFault(error)) throw error;
    if (items.length === 1) return { good: [], bad: [{ item: items[0]!, error }] };
  }
  const middle = items.length >> 1;
  const first = await isolateBad(items.slice(0, middle), attempt, isTheirFault);
  const second = await isolateBad(items.slice(middle), attempt, isTheirFault);
  return { good: [...first.good, ...second.good], bad: [...first.bad, ...second.bad] };
}
