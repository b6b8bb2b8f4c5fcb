/** A table that is looked up by words from outside: unlike a plain object it knows nothing of "constructor" or "__proto__". */
export function table<Value>(entries: Record<string, Value>): Readonly<Record<string, Value>> {
  return Object.assign(Object.create(null), entries);
}
