import type { ChildServer } from "../support/child-server.ts";
import { readThreadTimes, type ThreadTimes, timesSince } from "../support/thread-times.ts";

export interface Asked {
  fromMs: number;
  tookMs: number;
  server: ThreadTimes;
  client: ThreadTimes;
}

export interface Measured {
  asked: Asked[];
  failures: number;
}

/** The clients ask by turns. A reply that is late holds up no other, so that a standstill is not counted once only. */
export async function measure(
  { url, process: { pid: serverPid = 0 } }: ChildServer,
  keys: readonly string[],
  forMs: number,
  pauseMs: number,
): Promise<Measured> {
  const asked: Asked[] = [];
  let failures = 0;
  const ask = async (key: string) => {
    const before = { server: readThreadTimes(serverPid), client: readThreadTimes(process.pid) };
    const fromMs = Date.now();
    const began = performance.now();
    const reply = await fetch(`${url}/v1/voices`, { headers: { authorization: `Bearer ${key}` } });
    await reply.arrayBuffer();
    const tookMs = performance.now() - began;
    const [server, client] = [timesSince(serverPid, before.server), timesSince(process.pid, before.client)];
    asked.push({ fromMs, tookMs, server, client });
    if (reply.status !== 200) failures += 1;
  };
  const open = new Set<Promise<void>>();
  for (let turn = 0, until = performance.now() + forMs; performance.now() < until; turn++) {
    const asking = ask(keys[turn % keys.length]!).finally(() => open.delete(asking));
    open.add(asking);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  await Promise.all(open);
  return { asked, failures };
}

export function at(asked: readonly Asked[], share: number): number {
  const sorted = asked.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
}
