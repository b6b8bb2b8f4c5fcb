/** Makes room for one more in a table of at most so many: the oldest goes. Whoever fills it must not make it forget everybody. */
export function makeRoom<Key>(
  table: { readonly size: number; keys(): Iterator<Key>; delete(key: Key): boolean },
  most: number,
): void {
  if (table.size >= most) table.delete(table.keys().next().value!);
}
