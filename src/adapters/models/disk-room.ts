import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { Problem } from "../../platform/errors.ts";

/** Left for everything else on the disk. */
const spareBytes = 256e6;

/** Throws when a folder's disk has no room for so many more bytes. */
export function checkRoom(folder: string, bytes: number, freeBytes = freeOf(folder)): void {
  if (bytes + spareBytes <= freeBytes) return;
  const [needs, has] = [bytes + spareBytes, freeBytes].map((count) => (count / 1e9).toFixed(2));
  throw new Problem("storage_down", `This needs ${needs} GB, and the disk of ${folder} has ${has} GB left.`);
}

export function freeOf(folder: string): number {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  const { bavail, bsize } = statfsSync(existing);
  return bavail * bsize;
}
