import { deserialize } from "node:v8";
import { parentPort } from "node:worker_threads";
import { type FromStarter, type ToStarter, toBytes } from "./start-aside.ts";
import { type StartedChild, startChild } from "./start-child.ts";

const port = parentPort!;
const tell = (told: FromStarter, handedOver: ArrayBuffer[] = []): void => port.postMessage(told, handedOver);
const children = new Map<number, StartedChild>();

port.on("message", (order: ToStarter) => {
  const { id } = order;
  if (order.type === "send") children.get(id)?.send(deserialize(order.message));
  else if (order.type === "kill") children.get(id)?.kill();
  else {
    const child = startChild(order.options, {
      onMessage(message) {
        const bytes = toBytes(message);
        tell({ type: "message", id, message: bytes }, [bytes.buffer]);
      },
      onOutput: (text) => tell({ type: "output", id, text }),
      onEnd(reason) {
        children.delete(id);
        tell({ type: "ended", id, reason });
      },
    });
    children.set(id, child);
    tell({ type: "started", id, pid: child.pid });
  }
});
