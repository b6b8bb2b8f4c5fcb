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

/** The object that holds what `seller.name` or `lines[0].total` leads to, with the last of the names. */
export function findPlace(
  data: Record<string, unknown>,
  path: string,
): { owner: Record<string, unknown>; key: string } | undefined {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== "");
  const key = steps.pop();
  let owner: unknown = data;
  for (const step of steps) owner = has(owner, step) ? owner[step] : undefined;
  return key !== undefined && has(owner, key) ? { owner, key } : undefined;
}

function has(owner: unknown, key: string): owner is Record<string, unknown> {
  return typeof owner === "object" && owner !== null && Object.hasOwn(owner, key);
}

/** Whether the object has something at this path, be it null. */
export function hasPath(data: Record<string, unknown>, path: string): boolean {
  return findPlace(data, path) !== undefined;
}

export function getPath(data: Record<string, unknown>, path: string): unknown {
  const place = findPlace(data, path);
  return place?.owner[place.key];
}
