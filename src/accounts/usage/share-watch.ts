import { deserialize, serialize } from "node:v8";
import { newId } from "../../platform/ids.ts";
import type { Bus } from "../../ports/bus.ts";
import type { UsageRecord } from "./record.ts";
import type { UsageWriter } from "./usage-writer.ts";

/** A server says this often which workspaces somebody watches there; the others send records until they no longer hear it. */
const wantEveryMs = 2000;
const wantedForMs = 3 * wantEveryMs;

export interface SharedWatch {
  watch(workspaceId: string, tell: (record: UsageRecord) => void): () => void;
  close(): void;
}

/** Lets somebody at one server see the requests of all. Nothing is sent while nobody watches. */
export function shareWatch(usage: Pick<UsageWriter, "watch">, bus: Bus, name: string): SharedWatch {
  const watchers = new Map<string, Set<(record: UsageRecord) => void>>();
  /** Workspaces that are watched at other servers, and until when. */
  const wanted = new Map<string, number>();
  const recordsOf = (workspaceId: string) => `${name}.tail.${workspaceId}`;
  const subscriptions = new Map<string, { stop(): void }>();

  const want = () => {
    if (watchers.size > 0) bus.publish(`${name}.watched`, serialize([...watchers.keys()]));
  };
  const timer = setInterval(want, wantEveryMs);
  timer.unref();
  const wishes = bus.subscribe(`${name}.watched`, ({ data }) => {
    for (const id of deserialize(data) as string[]) wanted.set(id, performance.now() + wantedForMs);
  });
  /** Among servers. One hears its own records without the bus. */
  const own = newId("", 12);
  const stopOwn = usage.watch((record) => {
    const { workspaceId } = record;
    for (const tell of watchers.get(workspaceId) ?? []) tell(record);
    const until = wanted.get(workspaceId);
    if (until === undefined) return;
    if (until < performance.now()) wanted.delete(workspaceId);
    else bus.publish(recordsOf(workspaceId), serialize({ from: own, record }));
  });
  return {
    watch(workspaceId, tell) {
      const tells = watchers.get(workspaceId) ?? new Set();
      watchers.set(workspaceId, tells.add(tell));
      if (!subscriptions.has(workspaceId)) {
        const subscription = bus.subscribe(recordsOf(workspaceId), ({ data }) => {
          const { from, record } = deserialize(data) as { from: string; record: UsageRecord };
          if (from !== own) for (const one of watchers.get(workspaceId) ?? []) one(record);
        });
        subscriptions.set(workspaceId, subscription);
      }
      want();
      return () => {
        tells.delete(tell);
        if (tells.size > 0) return;
        watchers.delete(workspaceId);
        subscriptions.get(workspaceId)?.stop();
        subscriptions.delete(workspaceId);
      };
    },
    close() {
      clearInterval(timer);
      wishes.stop();
      stopOwn();
      for (const subscription of subscriptions.values()) subscription.stop();
    },
  };
}
