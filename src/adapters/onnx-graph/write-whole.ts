import { rename, writeFile } from "node:fs/promises";

/** Writes a file so that nobody ever sees a part of it. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(`${path}.new`, bytes);
  await rename(`${path}.new`, path);
}
