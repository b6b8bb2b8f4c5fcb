import autocannon from "autocannon";
import { startChildServer } from "../support/child-server.ts";

/** Resident memory of the server over 100,000 requests through the full chain. Flat means: the last fifth is no higher than
 *  the first fifth after warming up, within ten percent. */
const total = Number(process.argv[2] ?? 100_000);
const server = await startChildServer({ SVC_RATE_PER_MINUTE: "1000000" });
const samples: number[] = [];
console.log(`with no engine loaded: ${server.rssMb().toFixed(0)} MB`);
for (let part = 0; part < 10; part++) {
  await autocannon({
    // A route that neither an engine nor the database has a part in: writing tokens made this a test of the disk.
    url: `${server.url}/v1/voices?language=en-us`,
    connections: 20,
    amount: total / 10,
    headers: { authorization: `Bearer ${server.key}` },
  });
  samples.push(server.rssMb());
  console.log(`${((part + 1) * total) / 10} requests: ${samples.at(-1)!.toFixed(0)} MB`);
}
const early = Math.max(...samples.slice(1, 4));
const late = Math.max(...samples.slice(-3));
console.log(`ratio of the last requests to the first: ${(late / early).toFixed(2)} (flat is at most 1.10)`);
await server.stop();
