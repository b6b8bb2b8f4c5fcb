import { startChildServer } from "../support/child-server.ts";

/** Time from the command to a listening server (which answers /healthz at once), first start and later ones. */
const first = await startChildServer();
const { dataDir } = first;
console.log(`first start: ${(first.startedMs / 1000).toFixed(2)} s`);
await first.stop();
const times: number[] = [];
for (let round = 0; round < 5; round++) {
  const server = await startChildServer({}, dataDir);
  const health = await fetch(`${server.url}/healthz`);
  times.push(server.startedMs);
  console.log(
    `later start: ${(server.startedMs / 1000).toFixed(2)} s, /healthz ${health.status}, ${server.rssMb().toFixed(0)} MB resident with no engine loaded`,
  );
  await server.stop();
}
times.sort((a, b) => a - b);
console.log(`median ${(times[2]! / 1000).toFixed(2)} s, ratio to the goal of 2 s: ${(times[2]! / 2000).toFixed(2)}`);
