import { newId } from "../platform/ids.ts";
import type { Bus } from "./bus.ts";

/** One question, one answer. "nobody" when nobody listens, "silence" when no answer comes in time. */
export function askBus(
  bus: Bus,
  subject: string,
  data: Uint8Array,
  withinMs: number,
): Promise<Uint8Array | "nobody" | "silence"> {
  const replyTo = `${subject.split(".")[0]}.answer.${newId("", 16)}`;
  return new Promise((resolve) => {
    const finish = (answer: Uint8Array | "nobody" | "silence") => {
      clearTimeout(timer);
      subscription.stop();
      resolve(answer);
    };
    const subscription = bus.subscribe(replyTo, (message) => finish(message.isNobody ? "nobody" : message.data));
    const timer = setTimeout(() => finish("silence"), withinMs);
    bus.publish(subject, data, replyTo);
  });
}
