import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SlowDisk {
  readonly folder: string;
  /** From now on whoever writes to it waits. */
  freeze(): void;
  thaw(): void;
  remove(): void;
}

const sizeMb = 64;

/** A disk of its own that can be made to stand still; undefined where this user may not mount one. */
export function makeSlowDisk(): SlowDisk | undefined {
  const place = mkdtempSync(join(tmpdir(), "parlance-disk-"));
  const image = join(place, "image");
  const folder = join(place, "disk");
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: "ignore" });
  try {
    run("truncate", "-s", `${sizeMb}M`, image);
    run("mkfs.ext4", "-q", image);
    run("mkdir", folder);
    run("mount", "-o", "loop", image, folder);
  } catch {
    rmSync(place, { recursive: true });
    return undefined;
  }
  let isFrozen = false;
  const thaw = () => {
    if (isFrozen) run("fsfreeze", "-u", folder);
    isFrozen = false;
  };
  return {
    folder,
    freeze() {
      run("fsfreeze", "-f", folder);
      isFrozen = true;
    },
    thaw,
    remove() {
      thaw();
      run("umount", "-l", folder);
      rmSync(place, { recursive: true });
    },
  };
}
