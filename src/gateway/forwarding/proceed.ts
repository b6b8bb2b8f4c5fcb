/** Goes on at once with what is known and later with what is not. Tells whatever is thrown on the way. A promise for what is
 *  nearly always known would cost every request more than finding it. */
export function proceed<Value>(
  find: () => Value | Promise<Value>,
  next: (value: Value) => void,
  fail: (error: unknown) => void,
): void {
  try {
    const value = find();
    if (value instanceof Promise) value.then(next).catch(fail);
    else next(value);
  } catch (error) {
    fail(error);
  }
}
