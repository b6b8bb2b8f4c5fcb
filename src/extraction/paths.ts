/** Names that lead out of an object into what all objects share. */
const shared = new Set(["__proto__", "prototype", "constructor"]);

/** Whether a dotted name such as `seller.name` can be a path inside an object. */
export function isPath(path: string): boolean {
  return path.split(".").every((part) => !shared.has(part));
}

/** Puts a value where `seller.name` says, making the objects on the way. Only what is the object's own is ever touched. */
export function setPath(data: Record<string, unknown>, path: string, value: unknown): void {
  const parts = path.split(".").filter((part) => part !== "");
  const last = parts.pop();
  if (last === undefined || !isPath(path)) return;
  let target = data;
  for (const part of parts) {
    const inner = Object.hasOwn(target, part) ? target[part] : undefined;
    const isObject = typeof inner === "object" && inner !== null && !Array.isArray(inner);
    if (!isObject) target[part] = {};
    target = target[part] as Record<string, unknown>;
  }
  target[last] = value;
}

/** Whether the object has something at this path, be it null. */
export function hasPath(data: Record<string, unknown>, path: string): boolean {
  let target: unknown = data;
  for (const part of path.split(".")) {
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, part)) return false;
    target = (target as Record<string, unknown>)[part];
  }
  return true;
}
