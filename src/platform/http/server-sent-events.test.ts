import { Writable } from "node:stream";
import type { FastifyReply } from "fastify";
import { expect, it } from "vitest";
import { EventStream } from "./server-sent-events.ts";

/** A reader who takes one chunk at a time, when the test says so. */
function open() {
  const heard: string[] = [];
  let take = () => {};
  const raw = new Writable({
    highWaterMark: 100,
    write(chunk, _encoding, done) {
      take = () => {
        heard.push(String(chunk));
        done();
      };
    },
  });
  Object.assign(raw, { writeHead() {}, flushHeaders() {} });
  const reply = { raw, hijack() {}, getHeaders: () => ({}) } as unknown as FastifyReply;
  const stream = new EventStream(reply);
  return { raw, stream, heard, take: () => take() };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

it("a reader who stands still goes without what is offered, and holds no more of it", async () => {
  const { raw, stream, heard, take } = open();
  for (let n = 0; n < 100_000; n++) stream.offer({ n });
  expect(raw.writableLength).toBeLessThan(200);
  while (raw.writableLength > 0) {
    take();
    await turn();
  }
  const before = heard.length;
  stream.offer({ last: true });
  take();
  await turn();
  expect(heard.slice(before)).toEqual(['data: {"last":true}\n\n']);
  stream.end();
});

it("however many events wait for a slow reader, they share one pair of listeners", async () => {
  const { raw, stream, take } = open();
  const [drains, closes] = [raw.listenerCount("drain"), raw.listenerCount("close")];
  const waiting = Array.from({ length: 50 }, (_, n) => stream.send({ n }));
  await turn();
  expect([raw.listenerCount("drain"), raw.listenerCount("close")]).toEqual([drains + 1, closes + 1]);
  while (raw.writableLength > 0) {
    take();
    await turn();
  }
  await Promise.all(waiting);
  expect([raw.listenerCount("drain"), raw.listenerCount("close")]).toEqual([drains, closes]);
  stream.end();
});
