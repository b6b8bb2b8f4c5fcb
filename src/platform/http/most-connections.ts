import { readFileSync } from "node:fs";

/** macOS and others do not tell; most systems allow at least twice this. */
const whereUnknown = 4096;
/** Some containers allow a thousand million descriptors, which no memory could serve. A guess. */
const mostSensible = 50_000;

/** How many connections the server takes in all: half of the descriptors that it may have, because a request may need another connection
 *  to an upstream, and files, engines and the database need some. Without descriptors nothing works, not even a refusal. */
export function mostConnections(limits: string = readLimits()): number {
  const descriptors = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return Math.min(mostSensible, descriptors ? Math.floor(Number(descriptors) / 2) : whereUnknown);
}

function readLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}
