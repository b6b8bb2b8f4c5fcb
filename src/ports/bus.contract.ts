import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Bus, BusMessage } from "./bus.ts";

/** What every bus keeps to. `open` is called once for each process that takes part. */
export function busContract(name: string, open: () => Promise<Bus>): void {
  describe(`the ${name} bus`, () => {
    let one: Bus;
    let other: Bus;
    beforeAll(async () => {
      one = await open();
      other = await open();
    });
    afterAll(async () => {
      await one.close();
      await other.close();
    });

    it("brings messages of one sender in order, also below a prefix", async () => {
      const heard = listen(other, "order.>");
      await settled();
      for (let i = 0; i < 20; i++) one.publish(`order.${i % 2}`, Uint8Array.of(i));
      expect((await heard.take(20)).map(({ data }) => data[0])).toEqual(Array.from({ length: 20 }, (_, i) => i));
    });

    it("gives each message to one member of a group", async () => {
      const first = listen(other, "group", "workers");
      const second = listen(other, "group", "workers");
      await settled();
      for (let i = 0; i < 40; i++) one.publish("group", Uint8Array.of(i));
      one.publish("group.end", Uint8Array.of());
      await expect.poll(() => first.all.length + second.all.length).toBe(40);
      expect(first.all.length).toBeGreaterThan(0);
      expect(second.all.length).toBeGreaterThan(0);
    });

    it("says at once when nobody listens", async () => {
      const answers = listen(one, "answers.>");
      await settled();
      one.publish("nobody.here", Uint8Array.of(1), "answers.7");
      const [answer] = await answers.take(1);
      expect(answer).toMatchObject({ subject: "answers.7", isNobody: true });
    });

    it("hands the place for an answer to whoever hears", async () => {
      const answers = listen(one, "replies");
      other.subscribe("question", ({ replyTo }) => other.publish(replyTo!, Uint8Array.of(9)));
      await settled();
      one.publish("question", Uint8Array.of(1), "replies");
      const [answer] = await answers.take(1);
      expect([answer!.isNobody, ...answer!.data]).toEqual([false, 9]);
    });

    it("brings nothing after a subscription was stopped", async () => {
      const quiet = listen(other, "stopped");
      const loud = listen(other, "stopped");
      await settled();
      quiet.stop();
      await settled();
      one.publish("stopped", Uint8Array.of(1));
      await loud.take(1);
      expect(quiet.all).toHaveLength(0);
    });
  });

  /** A subscription travels to the server before messages that are sent after this can overtake it. */
  const settled = () => new Promise((resolve) => setTimeout(resolve, 50));
}

function listen(bus: Bus, subject: string, group?: string) {
  const all: BusMessage[] = [];
  const subscription = bus.subscribe(subject, (message) => all.push(message), group);
  return {
    all,
    stop: () => subscription.stop(),
    async take(count: number) {
      await expect.poll(() => all.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(count);
      return all.slice(0, count);
    },
  };
}
