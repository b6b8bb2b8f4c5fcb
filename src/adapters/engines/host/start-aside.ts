import { deserialize, serialize } from "node:v8";
import type { Worker } from "node:worker_threads";
import { siblingModule, startThread } from "../../../platform/sibling-module.ts";
import type { ChildEvents, StartedChild, StartOptions } from "./start-child.ts";

/** What the starting thread is told. Messages pass it as bytes, which change hands without being copied and keep a Buffer a Buffer. */
export type ToStarter =
  | { type: "start"; id: number; options: StartOptions }
  | { type: "send"; id: number; message: Uint8Array<ArrayBuffer> }
  | { type: "kill"; id: number };

/** What it tells. */
export type FromStarter =
  | { type: "started"; id: number; pid: number | undefined }
  | { type: "message"; id: number; message: Uint8Array<ArrayBuffer> }
  | { type: "output"; id: number; text: string }
  | { type: "ended"; id: number; reason: string };

interface Child extends ChildEvents {
  pid: number | undefined;
}

const children = new Map<number, Child>();
let nextId = 1;
let thread: Worker | undefined;

/** Starts a child from a thread of its own, for engines that begin a new one with every file. The thread that starts a process stands
 *  still until that runs: the memory of the server is marked for it first, and it needs a core. Measured under abuse on two busy cores:
 *  40 starts in 15 s took 5 ms each in the median and 31 ms at the 90th percentile, during which nobody was answered. */
export function startAside(options: StartOptions, events: ChildEvents): StartedChild {
  const id = nextId++;
  const child: Child = { ...events, pid: undefined };
  children.set(id, child);
  const starter = openThread();
  const tell = (order: ToStarter, handedOver: ArrayBuffer[] = []) => {
    if (children.has(id)) starter.postMessage(order, handedOver);
  };
  tell({ type: "start", id, options });
  return {
    get pid() {
      return child.pid;
    },
    send(message) {
      const bytes = toBytes(message);
      tell({ type: "send", id, message: bytes }, [bytes.buffer]);
    },
    kill: () => tell({ type: "kill", id }),
  };
}

export function toBytes(message: unknown): Uint8Array<ArrayBuffer> {
  return serialize(message) as Uint8Array<ArrayBuffer>;
}

/** The thread keeps the process going as long as a child does. */
function openThread(): Worker {
  if (thread) {
    thread.ref();
    return thread;
  }
  const opened = startThread(siblingModule(import.meta.url, "./starter-thread"));
  thread = opened;
  opened.on("message", (told: FromStarter) => {
    const child = children.get(told.id);
    if (!child) return;
    if (told.type === "started") child.pid = told.pid;
    else if (told.type === "message") child.onMessage(deserialize(told.message));
    else if (told.type === "output") child.onOutput(told.text);
    else end(told.id, told.reason);
  });
  // Its children end with it, since nobody speaks with them any more.
  opened.once("error", () => {});
  opened.once("exit", () => {
    thread = undefined;
    for (const id of [...children.keys()]) end(id, "lost the thread that started it");
  });
  return opened;
}

function end(id: number, reason: string): void {
  const child = children.get(id);
  children.delete(id);
  if (children.size === 0) thread?.unref();
  child?.onEnd(reason);
}
