import { expect, it } from "vitest";
import { createMemoryBus } from "../../adapters/bus/memory-bus.ts";
import type { UsageRecord } from "./record.ts";
import { shareWatch } from "./share-watch.ts";

function openServer(bus = createMemoryBus()) {
  let tell: (record: UsageRecord) => void = () => {};
  const shared = shareWatch(
    {
      watch: (told) => {
        tell = told;
        return () => {};
      },
    },
    bus,
    "test",
  );
  return { shared, serve: (workspaceId: string, route: string) => tell({ workspaceId, route } as UsageRecord) };
}

it("whoever watches at one server sees the requests of all, of one workspace and each once", async () => {
  const bus = createMemoryBus();
  const one = openServer(bus);
  const other = openServer(bus);
  const seen: string[] = [];
  const stop = one.shared.watch("ws_1", ({ route }) => seen.push(route));
  await new Promise((resolve) => setTimeout(resolve, 20));
  one.serve("ws_1", "here");
  other.serve("ws_1", "there");
  other.serve("ws_2", "elsewhere");
  await expect.poll(() => seen).toEqual(["here", "there"]);
  stop();
  other.serve("ws_1", "later");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(seen).toEqual(["here", "there"]);
  one.shared.close();
  other.shared.close();
});
