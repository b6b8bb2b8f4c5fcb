import { closeSync, fsyncSync, openSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

/** The corner of Emscripten's file system that gets a working fsync. */
interface NodeFsModule {
  NODEFS: {
    stream_ops: { fsync?: (stream: { nfd?: number; node: unknown }) => number };
    realPath(node: unknown): string;
  };
}

/** Counts real fsyncs, so that the opener can prove that a commit reached the disk. */
export const fsyncs = { count: 0 };

/** PGlite's file system has no fsync and its server starts with fsync off: safe against a killed process, not against a
 *  power cut. This one passes fsync on to the operating system. */
export class DurableNodeFs extends NodeFS {
  override async init(...given: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const started = await super.init(...given);
    const preRun = started.emscriptenOpts.preRun as unknown as ((module: NodeFsModule) => void)[];
    preRun.push(({ NODEFS }) => {
      NODEFS.stream_ops.fsync = (stream) => {
        fsyncs.count += 1;
        if (stream.nfd !== undefined) {
          fsyncSync(stream.nfd);
        } else {
          const folder = openSync(NODEFS.realPath(stream.node), "r");
          fsyncSync(folder);
          closeSync(folder);
        }
        return 0;
      };
    });
    return started;
  }
}

/** fdatasync, the default, stays a no-op inside PGlite, so the method is named; small buffers halve the memory. */
export function durableStartParams(): string[] {
  return [
    ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
    ...[
      "wal_sync_method=fsync",
      "shared_buffers=16MB",
      // What was deleted must not lie in the log for ever: old segments are removed and not used again.
      "wal_recycle=off",
      "min_wal_size=32MB",
    ].flatMap((pair) => ["-c", pair]),
  ];
}
