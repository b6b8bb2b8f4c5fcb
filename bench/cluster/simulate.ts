// What limits a large cluster, worked out from what was measured here: npm run bench -- cluster/simulate [nodes] [workers]
// Time passes in steps of 10 ms; arrivals and job lengths are random with a fixed seed, so that two runs agree.

const nodes = Number(process.argv[2] ?? 100);
const workers = Number(process.argv[3] ?? 1000);

/** Measured on two 2019 server cores that others were using too. */
const measured = {
  /** Updates over 50 rows with group commit, PostgreSQL 15. */
  databaseWritesPerSecond: 1500,
  /** A short sentence of speech on one place (cluster/recovery). */
  jobMs: 430,
  placesPerWorker: 1,
  /** Of the NATS server's processor for one call of about four messages (cluster/hop). */
  natsCallMicros: 45,
  messagesPerCall: 4,
  /** A beat of a worker with all engines. */
  beatBytes: 900,
};

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** How long jobs wait when each is offered to two workers at random and queued at the shorter wait, as the pool does. */
function simulatePlacement(load: number, choices: number): { p50: number; p99: number; messagesPerJob: number } {
  const next = random(7);
  const freeAt = new Float64Array(workers * measured.placesPerWorker);
  const waits: number[] = [];
  let messages = 0;
  const perMs = (load * freeAt.length) / measured.jobMs;
  const totalMs = 60_000;
  for (let now = 0, count = 0; now < totalMs; count++) {
    now = count / perMs;
    let best = Math.floor(next() * freeAt.length);
    let offers = 1;
    for (; offers < choices && freeAt[best]! > now; offers++) {
      const another = Math.floor(next() * freeAt.length);
      if (freeAt[another]! < freeAt[best]!) best = another;
    }
    const isInsisted = freeAt[best]! > now;
    const wait = Math.max(0, freeAt[best]! - now);
    // An offer and its answer each, the one that is insisted on, the result, its end and an acknowledgement.
    messages += 2 * offers + (isInsisted ? 2 : 0) + 3;
    if (now > totalMs / 3) waits.push(wait);
    freeAt[best] = now + wait - Math.log(1 - next()) * measured.jobMs;
  }
  waits.sort((a, b) => a - b);
  const at = (share: number) => waits[Math.floor(waits.length * share)]!;
  return { p50: at(0.5), p99: at(0.99), messagesPerJob: messages / Math.max(1, waits.length * 1.5) };
}

console.log(`${nodes} nodes, ${workers} workers, jobs of ${measured.jobMs} ms`);
for (const load of [0.5, 0.7, 0.8, 0.9]) {
  const one = simulatePlacement(load, 1);
  const two = simulatePlacement(load, 2);
  const jobs = (load * workers * measured.placesPerWorker * 1000) / measured.jobMs;
  console.log(
    `load ${load}: ${Math.round(jobs)} jobs/s; wait p50/p99 ${ms(two.p50)}/${ms(two.p99)} with two offers, ` +
      `${ms(one.p50)}/${ms(one.p99)} with one; NATS ${Math.round(jobs * two.messagesPerJob)} messages/s`,
  );
}
const beats = workers;
console.log(
  `signs of life: ${beats}/s in, ${beats * nodes}/s out, ${((beats * nodes * measured.beatBytes * 8) / 1e6).toFixed(0)} Mbit/s; ` +
    `each node reads ${beats}/s`,
);
const messageMicros = measured.natsCallMicros / measured.messagesPerCall;
console.log(
  `at ${messageMicros.toFixed(0)} µs a message, one core of NATS passes on ${Math.round(1e6 / messageMicros)}/s: signs of life take ` +
    `${((beats * (nodes + 1) * messageMicros) / 1e6).toFixed(1)} cores, work at load 0.8 ` +
    `${((0.8 * workers * measured.placesPerWorker * 1000 * simulatePlacement(0.8, 2).messagesPerJob * messageMicros) / measured.jobMs / 1e6).toFixed(2)}`,
);

/** Each node writes its charges and its usage once a second each, whatever their number, and renews its leases once a minute. */
const writes = nodes * 2 + nodes / 60;
console.log(
  `database, before any shared limit: ${writes.toFixed(0)} group writes/s of ${measured.databaseWritesPerSecond}; ` +
    `a shared rate limit adds one for each request: at most ${measured.databaseWritesPerSecond - Math.ceil(writes)} requests/s`,
);
console.log(`keys in use are read four times a second on each node: ${nodes * 4} reads/s`);

/** What a balance can have lying in leases: each node takes what it needs for some seconds. */
for (const perSecond of [1, 100]) {
  const cost = 0.0012;
  const idleSeconds = 5;
  const held = perSecond * cost * idleSeconds + nodes * cost;
  console.log(
    `a workspace with ${perSecond} requests/s of $${cost} over all nodes has about $${held.toFixed(2)} of its balance in leases`,
  );
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
